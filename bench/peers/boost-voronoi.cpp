// The exact Voronoi diagram of segments by Boost.Polygon: reads a count and x0 y0 x1 y1 of each segment as integers,
// computes the diagram as often as asked, and prints the least time in microseconds and the number of vertices.
#include <boost/polygon/voronoi.hpp>
#include <ctime>
#include <cstdio>
#include <vector>

struct Point {
  int x, y;
};
struct Segment {
  Point a, b;
};

namespace boost {
namespace polygon {
template <> struct geometry_concept<Point> {
  typedef point_concept type;
};
template <> struct point_traits<Point> {
  typedef int coordinate_type;
  static inline int get(const Point &p, orientation_2d axis) { return axis == HORIZONTAL ? p.x : p.y; }
};
template <> struct geometry_concept<Segment> {
  typedef segment_concept type;
};
template <> struct segment_traits<Segment> {
  typedef int coordinate_type;
  typedef Point point_type;
  static inline Point get(const Segment &s, direction_1d end) { return end.to_int() ? s.b : s.a; }
};
} // namespace polygon
} // namespace boost

int main() {
  int count, passes;
  if (std::scanf("%d %d", &count, &passes) != 2) return 1;
  std::vector<Segment> segments(count);
  for (auto &s : segments)
    if (std::scanf("%d %d %d %d", &s.a.x, &s.a.y, &s.b.x, &s.b.y) != 4) return 1;
  double least = 1e300;
  size_t vertices = 0;
  for (int pass = 0; pass < passes; pass++) {
    std::clock_t start = std::clock();
    boost::polygon::voronoi_diagram<double> diagram;
    boost::polygon::construct_voronoi(segments.begin(), segments.end(), &diagram);
    double taken = 1e6 * double(std::clock() - start) / CLOCKS_PER_SEC;
    if (taken < least) least = taken;
    vertices = diagram.num_vertices();
  }
  std::printf("%.1f %zu\n", least, vertices);
}
