// Answers the benchmark's queries with FCL. Reads a scene file (layout: bench/peers/fcl.ts), builds a tree of OBB and RSS
// for each mesh, prints one line about that, then runs one pass over all frames for each command line on standard input:
// "collide", "distance RELATIVE_ERROR", or "contact": the deepest contact as its depth and the unit normal from A to B.
// "manager": all pairs of bodies of the first frame that collide, by a tree of boxes over the bodies; the results are the
// pairs that the tree left and those that collide.
// Each pass answers with one line of JSON; results are frame by frame, pair by pair.
#include <fcl/fcl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

// Time that this process has had on the processor, as the other contestants are measured.
static double cpuMicroseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e6 * time.tv_sec + 1e-3 * time.tv_nsec;
}

template <typename T>
static std::vector<T> readArray(std::FILE* file, std::size_t count) {
  std::vector<T> values(count);
  if (std::fread(values.data(), sizeof(T), count, file) != count) {
    std::fprintf(stderr, "the scene file is too short\n");
    std::exit(2);
  }
  return values;
}

static std::shared_ptr<Model> readModel(std::FILE* file) {
  const auto sizes = readArray<std::uint32_t>(file, 2);
  const auto positions = readArray<double>(file, 3 * sizes[0]);
  const auto indices = readArray<std::uint32_t>(file, 3 * sizes[1]);
  std::vector<fcl::Vector3d> vertices(sizes[0]);
  for (std::size_t i = 0; i < vertices.size(); i++) {
    vertices[i] = fcl::Vector3d(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
  }
  std::vector<fcl::Triangle> triangles(sizes[1]);
  for (std::size_t i = 0; i < triangles.size(); i++) {
    triangles[i] = fcl::Triangle(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
  }
  const double start = cpuMicroseconds();
  auto model = std::make_shared<Model>();
  model->beginModel(triangles.size(), vertices.size());
  model->addSubModel(vertices, triangles);
  model->endModel();
  const double milliseconds = (cpuMicroseconds() - start) / 1000;
  const std::size_t bytes = model->getNumBVs() * sizeof(fcl::BVNode<fcl::OBBRSS<double>>) +
                            model->num_vertices * sizeof(fcl::Vector3d) + model->num_tris * sizeof(fcl::Triangle);
  std::printf("{\"buildMilliseconds\":%.6f,\"bytes\":%zu}", milliseconds, bytes);
  return model;
}

// Depth and normal of the deepest of all contacts; zeros without a contact.
static void deepestContact(const Model* a, const fcl::Transform3d& placementA, const Model* b,
                           const fcl::Transform3d& placementB, double* out) {
  const fcl::CollisionRequestd request(1 << 20, true);
  fcl::CollisionResultd result;
  fcl::collide(a, placementA, b, placementB, request, result);
  for (int k = 0; k < 4; k++) out[k] = 0;
  for (std::size_t i = 0; i < result.numContacts(); i++) {
    const auto& contact = result.getContact(i);
    if (contact.penetration_depth <= out[0]) continue;
    out[0] = contact.penetration_depth;
    for (int k = 0; k < 3; k++) out[k + 1] = contact.normal[k];
  }
}

struct ManagerCounts {
  double tested = 0;
  double colliding = 0;
};

static bool countCollision(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* counts) {
  const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  fcl::collide(a, b, request, result);
  static_cast<ManagerCounts*>(counts)->tested++;
  if (result.isCollision()) static_cast<ManagerCounts*>(counts)->colliding++;
  return false;
}

using Transforms = std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>;

static void runManager(const std::vector<std::shared_ptr<Model>>& models, const std::vector<std::uint32_t>& meshOfBody,
                       const Transforms& placements) {
  for (const auto& model : models) model->computeLocalAABB();
  const double start = cpuMicroseconds();
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::vector<fcl::CollisionObjectd*> pointers;
  for (std::size_t i = 0; i < meshOfBody.size(); i++) {
    objects.emplace_back(new fcl::CollisionObjectd(models[meshOfBody[i]], placements[i]));
    pointers.push_back(objects.back().get());
  }
  fcl::DynamicAABBTreeCollisionManagerd manager;
  manager.registerObjects(pointers);
  manager.setup();
  ManagerCounts counts;
  manager.collide(&counts, countCollision);
  std::printf("{\"microseconds\":%.3f,\"results\":[%.17g,%.17g]}\n", cpuMicroseconds() - start, counts.tested,
              counts.colliding);
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  std::FILE* file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
  if (!file) {
    std::fprintf(stderr, "usage: fcl-driver SCENE\n");
    return 2;
  }
  // Meshes, bodies, pairs, frames.
  const auto counts = readArray<std::uint32_t>(file, 4);
  std::vector<std::shared_ptr<Model>> models;
  std::printf("[");
  for (std::size_t i = 0; i < counts[0]; i++) {
    if (i > 0) std::printf(",");
    models.push_back(readModel(file));
  }
  std::printf("]\n");
  std::fflush(stdout);
  const auto meshOfBody = readArray<std::uint32_t>(file, counts[1]);
  const auto pairs = readArray<std::uint32_t>(file, 2 * counts[2]);
  const auto poses = readArray<double>(file, 7 * counts[1] * counts[3]);
  std::fclose(file);

  Transforms placements(counts[1] * counts[3]);
  for (std::size_t i = 0; i < placements.size(); i++) {
    const double* p = &poses[7 * i];
    placements[i].setIdentity();
    placements[i].linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).toRotationMatrix();
    placements[i].translation() = fcl::Vector3d(p[0], p[1], p[2]);
  }

  std::string line;
  std::vector<double> results;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string query;
    double relativeError = 0;
    words >> query >> relativeError;
    if (query == "manager") {
      runManager(models, meshOfBody, placements);
      continue;
    }
    const bool wantsDistance = query == "distance";
    const bool wantsContact = query == "contact";
    if (!wantsDistance && !wantsContact && query != "collide") return 2;
    results.assign((wantsContact ? 4 : 1) * counts[2] * counts[3], 0);
    const double start = cpuMicroseconds();
    std::size_t next = 0;
    for (std::size_t frame = 0; frame < counts[3]; frame++) {
      const fcl::Transform3d* placement = &placements[frame * counts[1]];
      for (std::size_t pair = 0; pair < counts[2]; pair++) {
        const std::size_t a = pairs[2 * pair];
        const std::size_t b = pairs[2 * pair + 1];
        const Model* modelA = models[meshOfBody[a]].get();
        const Model* modelB = models[meshOfBody[b]].get();
        if (wantsContact) {
          deepestContact(modelA, placement[a], modelB, placement[b], &results[next]);
          next += 4;
        } else if (wantsDistance) {
          fcl::DistanceRequestd request;
          request.enable_nearest_points = true;
          request.rel_err = relativeError;
          fcl::DistanceResultd result;
          results[next++] = fcl::distance(modelA, placement[a], modelB, placement[b], request, result);
        } else {
          const fcl::CollisionRequestd request(1, false);
          fcl::CollisionResultd result;
          fcl::collide(modelA, placement[a], modelB, placement[b], request, result);
          results[next++] = result.isCollision() ? 1 : 0;
        }
      }
    }
    std::printf("{\"microseconds\":%.3f,\"results\":[", cpuMicroseconds() - start);
    for (std::size_t i = 0; i < results.size(); i++) std::printf(i > 0 ? ",%.17g" : "%.17g", results[i]);
    std::printf("]}\n");
    std::fflush(stdout);
  }
  return 0;
}
