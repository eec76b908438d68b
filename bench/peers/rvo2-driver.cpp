// A crowd of discs through a door with RVO2, the library of the authors of ORCA. Reads from the standard input: the seed, the
// step, the steps at most, the tolerance of arriving; radius, speed, time horizon, neighbors at most; the door as x, y0, y1
// (already narrowed by a radius); polygons; agents with start and goal. Writes all positions after each step to the file that
// is named, as 32-bit floats, and prints the microseconds of the processor of each step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>
#include "RVO.h"

static double next() {
  double value;
  if (std::scanf("%lf", &value) != 1) std::exit(1);
  return value;
}

int main(int count, char **words) {
  if (count != 2) return 1;
  std::FILE *out = std::fopen(words[1], "wb");
  if (out == nullptr) return 1;
  std::srand(static_cast<unsigned>(next()));
  const float step = next();
  const int most = static_cast<int>(next());
  const float tolerance = next();
  const float radius = next(), speed = next(), horizon = next();
  const size_t neighbors = static_cast<size_t>(next());
  const float doorX = next(), doorLow = next(), doorHigh = next();
  RVO::RVOSimulator simulator;
  simulator.setTimeStep(step);
  // Farther ones cannot be met within the horizon.
  const float reach = 2 * radius + 2 * speed * horizon;
  simulator.setAgentDefaults(reach, neighbors, horizon, horizon, radius, speed);
  for (int polygons = static_cast<int>(next()); polygons > 0; polygons--) {
    std::vector<RVO::Vector2> corners;
    for (int n = static_cast<int>(next()); n > 0; n--) {
      const float x = next(), y = next();
      corners.push_back(RVO::Vector2(x, y));
    }
    simulator.addObstacle(corners);
  }
  simulator.processObstacles();
  const size_t agents = static_cast<size_t>(next());
  std::vector<RVO::Vector2> goals;
  for (size_t i = 0; i < agents; i++) {
    const float x = next(), y = next(), goalX = next(), goalY = next();
    simulator.addAgent(RVO::Vector2(x, y));
    goals.push_back(RVO::Vector2(goalX, goalY));
  }
  for (int n = 0; n < most; n++) {
    for (size_t i = 0; i < agents; i++) {
      const RVO::Vector2 at = simulator.getAgentPosition(i);
      RVO::Vector2 target = goals[i];
      // On the other side of the wall: through the door where the shortest way crosses it.
      if ((at.x() - doorX) * (target.x() - doorX) < 0) {
        const float share = (doorX - at.x()) / (target.x() - at.x());
        const float y = at.y() + share * (target.y() - at.y());
        if (y < doorLow || y > doorHigh) target = RVO::Vector2(doorX, y < doorLow ? doorLow : doorHigh);
      }
      RVO::Vector2 velocity = (target - at) / step;
      if (RVO::abs(velocity) > speed) velocity = RVO::normalize(velocity) * speed;
      // As in the examples of the library: against deadlocks of perfect symmetry.
      const float angle = std::rand() * 2.0f * 3.14159265f / RAND_MAX;
      const float size = std::rand() * 0.0001f / RAND_MAX;
      simulator.setAgentPrefVelocity(i, velocity + size * RVO::Vector2(std::cos(angle), std::sin(angle)));
    }
    const std::clock_t start = std::clock();
    simulator.doStep();
    std::printf("%.0f\n", 1e6 * double(std::clock() - start) / CLOCKS_PER_SEC);
    bool isDone = true;
    for (size_t i = 0; i < agents; i++) {
      const RVO::Vector2 at = simulator.getAgentPosition(i);
      const float position[2] = {at.x(), at.y()};
      std::fwrite(position, sizeof(float), 2, out);
      if (RVO::abs(goals[i] - at) > tolerance) isDone = false;
    }
    if (isDone) break;
  }
  std::fclose(out);
}
