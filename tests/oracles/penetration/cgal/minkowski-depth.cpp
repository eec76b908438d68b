// The penetration depth of two polyhedra from their exact Minkowski sum (Hachenberger 2009, as in CGAL's Nef polyhedra).
// Reads A and B from standard input, each as its shells: a count, then a shell's vertex and triangle counts, coordinates
// as hexadecimal doubles and corner ids. Shells that look outwards are joined, then those that look inwards are cut out.
// Writes the squared distance from the origin to the nearest point outside the interior of {b - a}, and where.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Polyhedron_3.h>
#include <CGAL/Polyhedron_incremental_builder_3.h>
#include <CGAL/minkowski_sum_3.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Number = Kernel::FT;
using Point = Kernel::Point_3;
using Vector = Kernel::Vector_3;
using Polyhedron = CGAL::Polyhedron_3<Kernel>;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;

struct Shell {
  std::vector<Point> points;
  std::vector<int> corners;
};

struct ShellBuilder : public CGAL::Modifier_base<Polyhedron::HalfedgeDS> {
  const Shell& shell;
  bool flip;
  ShellBuilder(const Shell& s, bool f) : shell(s), flip(f) {}
  void operator()(Polyhedron::HalfedgeDS& hds) override {
    CGAL::Polyhedron_incremental_builder_3<Polyhedron::HalfedgeDS> builder(hds, true);
    builder.begin_surface(shell.points.size(), shell.corners.size() / 3);
    for (const Point& p : shell.points) builder.add_vertex(p);
    for (std::size_t i = 0; i < shell.corners.size(); i += 3) {
      builder.begin_facet();
      builder.add_vertex_to_facet(shell.corners[i]);
      builder.add_vertex_to_facet(shell.corners[i + (flip ? 2 : 1)]);
      builder.add_vertex_to_facet(shell.corners[i + (flip ? 1 : 2)]);
      builder.end_facet();
    }
    builder.end_surface();
  }
};

/** Six times the signed volume. */
Number signedVolume(const Shell& shell) {
  Number sum = 0;
  for (std::size_t i = 0; i < shell.corners.size(); i += 3) {
    const Vector u = shell.points[shell.corners[i]] - CGAL::ORIGIN;
    const Vector v = shell.points[shell.corners[i + 1]] - CGAL::ORIGIN;
    const Vector w = shell.points[shell.corners[i + 2]] - CGAL::ORIGIN;
    sum += u * CGAL::cross_product(v, w);
  }
  return sum;
}

/** Reads a solid; mirrored at the origin when asked for. */
Nef readSolid(bool mirror) {
  int count;
  if (std::scanf("%d", &count) != 1) std::exit(2);
  std::vector<Nef> outer, inner;
  for (int s = 0; s < count; s++) {
    int vertices, triangles;
    if (std::scanf("%d %d", &vertices, &triangles) != 2) std::exit(2);
    Shell shell;
    for (int v = 0; v < vertices; v++) {
      double x, y, z;
      if (std::scanf("%la %la %la", &x, &y, &z) != 3) std::exit(2);
      shell.points.push_back(mirror ? Point(-x, -y, -z) : Point(x, y, z));
    }
    shell.corners.resize(3 * triangles);
    for (int& corner : shell.corners) {
      if (std::scanf("%d", &corner) != 1) std::exit(2);
    }
    // A mirror image is inside out, so an outward shell of A comes out with a negative volume.
    const Number volume = signedVolume(shell);
    const bool looksOut = (volume > 0) != mirror;
    Polyhedron polyhedron;
    ShellBuilder builder(shell, volume < 0);
    polyhedron.delegate(builder);
    if (!polyhedron.is_valid() || !polyhedron.is_closed()) {
      std::fprintf(stderr, "shell %d is not a closed manifold\n", s);
      std::exit(3);
    }
    (looksOut ? outer : inner).push_back(Nef(polyhedron));
  }
  Nef solid = outer.at(0);
  for (std::size_t i = 1; i < outer.size(); i++) solid += outer[i];
  for (const Nef& hole : inner) solid -= hole;
  return solid.regularization();
}

/** The point of the segment nearest to the origin. */
Point nearestOnSegment(const Point& p, const Point& q) {
  const Vector along = q - p;
  Number s = ((CGAL::ORIGIN - p) * along) / along.squared_length();
  if (s <= 0) return p;
  if (s >= 1) return q;
  return p + s * along;
}

/** Whether a point of the facet's plane is in the polygon, holes left out; on its rim either answer will do. */
bool facetHolds(Nef::Halffacet_const_handle facet, const Point& point) {
  const Vector normal = facet->plane().orthogonal_vector();
  const int drop = normal.x() != 0 ? 0 : normal.y() != 0 ? 1 : 2;
  const int i = (drop + 1) % 3, j = (drop + 2) % 3;
  bool inside = false;
  for (auto cycle = facet->facet_cycles_begin(); cycle != facet->facet_cycles_end(); ++cycle) {
    if (!cycle.is_shalfedge()) continue;
    Nef::SHalfedge_const_handle first(cycle);
    Nef::SHalfedge_around_facet_const_circulator at(first), end(at);
    CGAL_For_all(at, end) {
      const Point p = at->source()->source()->point();
      const Point q = at->next()->source()->source()->point();
      if ((p[j] > point[j]) == (q[j] > point[j])) continue;
      const Number crossing = p[i] + (point[j] - p[j]) * (q[i] - p[i]) / (q[j] - p[j]);
      if (crossing > point[i]) inside = !inside;
    }
  }
  return inside;
}

int main() {
  Nef mirroredA = readSolid(true);
  Nef b = readSolid(false);
  Nef sum = CGAL::minkowski_sum_3(b, mirroredA).regularization();
  const Point origin(0, 0, 0);
  Nef::Volume_const_handle around;
  const bool onBoundary = !CGAL::assign(around, sum.locate(origin));
  const bool deep = !onBoundary && around->mark();

  Number best = -1;
  std::vector<Point> nearest;
  auto offer = [&](const Point& p) {
    const Number square = CGAL::squared_distance(origin, p);
    if (best >= 0 && square > best) return;
    if (best < 0 || square < best) nearest.clear();
    best = square;
    for (const Point& q : nearest) {
      if (q == p) return;
    }
    nearest.push_back(p);
  };
  for (auto e = sum.halfedges_begin(); e != sum.halfedges_end(); ++e) {
    offer(nearestOnSegment(e->source()->point(), e->twin()->source()->point()));
  }
  for (auto f = sum.halffacets_begin(); f != sum.halffacets_end(); ++f) {
    const Point foot = f->plane().projection(origin);
    if (facetHolds(f, foot)) offer(foot);
  }
  const double square = CGAL::to_double(best.exact());
  std::printf("{\"state\": \"%s\", \"distance\": %.17g, \"volumes\": %zu, \"facets\": %zu, \"nearest\": [",
              deep ? "deep" : onBoundary ? "touching" : "apart", std::sqrt(square),
              static_cast<std::size_t>(sum.number_of_volumes()), static_cast<std::size_t>(sum.number_of_facets()));
  for (std::size_t k = 0; k < nearest.size() && k < 8; k++) {
    std::printf("%s[%.17g, %.17g, %.17g]", k ? ", " : "", CGAL::to_double(nearest[k].x().exact()),
                CGAL::to_double(nearest[k].y().exact()), CGAL::to_double(nearest[k].z().exact()));
  }
  std::printf("]}\n");
}
