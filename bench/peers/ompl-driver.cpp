// Plans with OMPL, whose states are tested by FCL, on a problem that nearfield wrote. One run a process, since OMPL takes one
// seed a process. Usage: ompl-driver PROBLEM PLANNER RESOLUTION SEED SECONDS; prints one line of JSON.
#include <fcl/fcl.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Model = fcl::BVHModel<fcl::OBBRSS<double>>;
using Transform = fcl::Transform3d;
template <typename T>
using Aligned = std::vector<T, Eigen::aligned_allocator<T>>;

static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static std::ifstream file;
static double number() {
  double value;
  if (!(file >> value)) {
    std::fprintf(stderr, "the problem file is too short\n");
    std::exit(2);
  }
  return value;
}
static int count() { return static_cast<int>(number()); }

static Transform readPose() {
  double p[7];
  for (double& value : p) value = number();
  Transform pose = Transform::Identity();
  pose.linear() = fcl::Quaterniond(p[6], p[3], p[4], p[5]).toRotationMatrix();
  pose.translation() = fcl::Vector3d(p[0], p[1], p[2]);
  return pose;
}

struct Joint {
  int type, parent, child;  // types: 0 revolute, 1 prismatic, 2 fixed
  Transform origin;
  fcl::Vector3d axis;
  // The value that moves it, and how its own follows from that one.
  int value;
  double factor, offset;
};

struct Robot {
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW
  int type;  // 0 rigid, 1 planar, 2 chain
  int axes[3];
  Transform reference, base;
  std::vector<Joint, Eigen::aligned_allocator<Joint>> joints;
  int frames = 1, values = 0;
  std::vector<int> bodyFrames, bodyTested;
  std::vector<double> start, goal;
  ob::StateSpacePtr space;
  std::size_t firstBody = 0;
};

static std::vector<std::shared_ptr<Model>> models;
static std::vector<std::shared_ptr<Robot>> robots;
static std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies, obstacles;
static std::vector<int> bodyTested;
static std::vector<std::pair<int, int>> bodyPairs;

static void placeRobot(const Robot& robot, const ob::State* state, Aligned<Transform>& frames) {
  frames.assign(robot.frames, Transform::Identity());
  if (robot.type == 0) {
    const auto* s = state->as<ob::SE3StateSpace::StateType>();
    frames[0].linear() =
        fcl::Quaterniond(s->rotation().w, s->rotation().x, s->rotation().y, s->rotation().z).toRotationMatrix();
    frames[0].translation() = fcl::Vector3d(s->getX(), s->getY(), s->getZ());
  } else if (robot.type == 1) {
    const auto* s = state->as<ob::SE2StateSpace::StateType>();
    fcl::Vector3d axis = fcl::Vector3d::Zero();
    axis[robot.axes[2]] = 1;
    frames[0].linear() = Eigen::AngleAxisd(s->getYaw(), axis).toRotationMatrix() * robot.reference.linear();
    fcl::Vector3d at = robot.reference.translation();
    at[robot.axes[0]] = s->getX();
    at[robot.axes[1]] = s->getY();
    frames[0].translation() = at;
  } else {
    const double* q = state->as<ob::RealVectorStateSpace::StateType>()->values;
    frames[0] = robot.base;
    for (const Joint& joint : robot.joints) {
      Transform motion = Transform::Identity();
      const double value = joint.type < 2 ? joint.factor * q[joint.value] + joint.offset : 0;
      if (joint.type == 0) motion.linear() = Eigen::AngleAxisd(value, joint.axis).toRotationMatrix();
      if (joint.type == 1) motion.translation() = joint.axis * value;
      frames[joint.child] = frames[joint.parent] * joint.origin * motion;
    }
  }
}

static const ob::State* stateOf(const ob::State* state, std::size_t robot) {
  return robots.size() == 1 ? state : state->as<ob::CompoundState>()->components[robot];
}

static bool meet(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
  if (!a.getAABB().overlap(b.getAABB())) return false;
  static const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  return fcl::collide(&a, &b, request, result) > 0;
}

static bool isValid(const ob::State* state) {
  static Aligned<Transform> frames;
  for (std::size_t r = 0; r < robots.size(); r++) {
    const Robot& robot = *robots[r];
    if (!robot.space->satisfiesBounds(stateOf(state, r))) return false;
    placeRobot(robot, stateOf(state, r), frames);
    for (std::size_t i = 0; i < robot.bodyFrames.size(); i++) {
      auto& body = *bodies[robot.firstBody + i];
      body.setTransform(frames[robot.bodyFrames[i]]);
      body.computeAABB();
    }
  }
  for (std::size_t i = 0; i < bodies.size(); i++) {
    if (!bodyTested[i]) continue;
    for (const auto& obstacle : obstacles) {
      if (meet(*bodies[i], *obstacle)) return false;
    }
  }
  for (const auto& pair : bodyPairs) {
    if (meet(*bodies[pair.first], *bodies[pair.second])) return false;
  }
  return true;
}

static void readProblem() {
  for (int m = count(); m > 0; m--) {
    std::vector<fcl::Vector3d> vertices(count());
    std::vector<fcl::Triangle> triangles(count());
    for (auto& vertex : vertices) {
      for (int k = 0; k < 3; k++) vertex[k] = number();
    }
    for (auto& triangle : triangles) {
      const int a = count(), b = count(), c = count();
      triangle = fcl::Triangle(a, b, c);
    }
    auto model = std::make_shared<Model>();
    model->beginModel(triangles.size(), vertices.size());
    model->addSubModel(vertices, triangles);
    model->endModel();
    models.push_back(model);
  }
  for (int o = count(); o > 0; o--) {
    const auto model = models[count()];
    obstacles.emplace_back(new fcl::CollisionObjectd(model, readPose()));
    obstacles.back()->computeAABB();
  }
  for (int r = count(); r > 0; r--) {
    auto robot = std::make_shared<Robot>();
    robot->type = count();
    robot->firstBody = bodies.size();
    if (robot->type < 2) {
      for (int& axis : robot->axes) axis = count();
      robot->reference = readPose();
      const int dimension = robot->type == 0 ? 3 : 2;
      ob::RealVectorBounds bounds(dimension);
      for (int k = 0; k < dimension; k++) bounds.setLow(k, number());
      for (int k = 0; k < dimension; k++) bounds.setHigh(k, number());
      if (robot->type == 0) {
        auto space = std::make_shared<ob::SE3StateSpace>();
        space->setBounds(bounds);
        robot->space = space;
      } else {
        auto space = std::make_shared<ob::SE2StateSpace>();
        space->setBounds(bounds);
        robot->space = space;
      }
      robot->values = robot->type == 0 ? 7 : 3;
    } else {
      robot->base = readPose();
      robot->frames = count();
      std::vector<std::pair<double, double>> limits;
      for (int j = count(); j > 0; j--) {
        Joint joint;
        joint.type = count();
        joint.parent = count();
        joint.child = count();
        joint.origin = readPose();
        for (int k = 0; k < 3; k++) joint.axis[k] = number();
        const double low = number(), high = number();
        joint.value = count();
        joint.factor = number();
        joint.offset = number();
        const bool mimics = count() != 0;
        if (joint.type < 2 && !mimics) limits.emplace_back(low, high);
        robot->joints.push_back(joint);
      }
      ob::RealVectorBounds bounds(limits.size());
      for (std::size_t k = 0; k < limits.size(); k++) {
        bounds.setLow(k, limits[k].first);
        bounds.setHigh(k, limits[k].second);
      }
      auto space = std::make_shared<ob::RealVectorStateSpace>(limits.size());
      space->setBounds(bounds);
      robot->space = space;
      robot->values = limits.size();
    }
    for (int b = count(); b > 0; b--) {
      robot->bodyFrames.push_back(count());
      const auto model = models[count()];
      bodies.emplace_back(new fcl::CollisionObjectd(model));
      bodyTested.push_back(count());
    }
    for (int k = 0; k < robot->values; k++) robot->start.push_back(number());
    for (int k = 0; k < robot->values; k++) robot->goal.push_back(number());
    robots.push_back(robot);
  }
  for (int p = count(); p > 0; p--) {
    const int a = count(), b = count();
    bodyPairs.emplace_back(a, b);
  }
}

static void setState(const Robot& robot, const std::vector<double>& q, ob::State* state) {
  if (robot.type == 0) {
    auto* s = state->as<ob::SE3StateSpace::StateType>();
    s->setXYZ(q[0], q[1], q[2]);
    s->rotation().x = q[3];
    s->rotation().y = q[4];
    s->rotation().z = q[5];
    s->rotation().w = q[6];
  } else if (robot.type == 1) {
    auto* s = state->as<ob::SE2StateSpace::StateType>();
    s->setXY(q[0], q[1]);
    s->setYaw(q[2]);
  } else {
    for (int k = 0; k < robot.values; k++) state->as<ob::RealVectorStateSpace::StateType>()->values[k] = q[k];
  }
}

static void printState(const ob::State* state) {
  static Aligned<Transform> frames;
  std::printf("[");
  for (std::size_t r = 0; r < robots.size(); r++) {
    const ob::State* own = stateOf(state, r);
    std::printf(r > 0 ? ",[" : "[");
    if (robots[r]->type == 2) {
      for (int k = 0; k < robots[r]->values; k++) {
        std::printf(k > 0 ? ",%.17g" : "%.17g", own->as<ob::RealVectorStateSpace::StateType>()->values[k]);
      }
    } else {
      placeRobot(*robots[r], own, frames);
      const fcl::Vector3d at = frames[0].translation();
      const fcl::Quaterniond turn(frames[0].linear());
      std::printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", at[0], at[1], at[2], turn.x(), turn.y(), turn.z(), turn.w());
    }
    std::printf("]");
  }
  std::printf("]");
}

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: ompl-driver PROBLEM PLANNER RESOLUTION SEED SECONDS\n");
    return 2;
  }
  ompl::msg::noOutputHandler();
  ompl::RNG::setSeed(std::stoul(argv[4]));
  file.open(argv[1]);
  readProblem();

  ob::StateSpacePtr space = robots[0]->space;
  if (robots.size() > 1) {
    auto compound = std::make_shared<ob::CompoundStateSpace>();
    for (const auto& robot : robots) compound->addSubspace(robot->space, 1);
    space = compound;
  }
  // Registers the projections, too.
  space->setup();
  og::SimpleSetup setup(space);
  setup.setStateValidityChecker(isValid);
  setup.getSpaceInformation()->setStateValidityCheckingResolution(std::stod(argv[3]));
  ob::ScopedState<> start(space), goal(space);
  for (std::size_t r = 0; r < robots.size(); r++) {
    setState(*robots[r], robots[r]->start, const_cast<ob::State*>(stateOf(start.get(), r)));
    setState(*robots[r], robots[r]->goal, const_cast<ob::State*>(stateOf(goal.get(), r)));
  }
  setup.setStartAndGoalStates(start, goal);
  const std::string name = argv[2];
  ob::PlannerPtr planner;
  if (name == "RRTConnect") {
    auto connect = std::make_shared<og::RRTConnect>(setup.getSpaceInformation());
    connect->setRange(0.03 * space->getMaximumExtent());
    planner = connect;
  } else if (name == "PRM") {
    planner = std::make_shared<og::PRM>(setup.getSpaceInformation());
  } else {
    if (!space->hasDefaultProjection()) {
      std::printf("{\"unsupported\":true}\n");
      return 0;
    }
    planner = std::make_shared<og::LBKPIECE1>(setup.getSpaceInformation());
  }
  setup.setPlanner(planner);
  setup.setup();
  const double begin = cpuSeconds();
  const double limit = std::stod(argv[5]);
  const auto overdue = [begin, limit] { return cpuSeconds() - begin > limit; };
  setup.solve(ob::PlannerTerminationCondition(overdue));
  const bool isSolved = setup.haveExactSolutionPath();
  if (isSolved) setup.simplifySolution(ob::PlannerTerminationCondition(overdue));
  const double seconds = cpuSeconds() - begin;
  std::printf("{\"solved\":%s,\"seconds\":%.6f,\"path\":[", isSolved ? "true" : "false", seconds);
  if (isSolved) {
    const auto& states = setup.getSolutionPath().getStates();
    for (std::size_t i = 0; i < states.size(); i++) {
      if (i > 0) std::printf(",");
      printState(states[i]);
    }
  }
  std::printf("]}\n");
  return 0;
}
