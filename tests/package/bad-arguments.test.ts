// Every function and class of every chapter, with one argument at a time replaced by what does not belong there: the
// answer is an error of the library or a normal one, never a TypeError or RangeError from its inside.

import { BoxGeometry, Mesh as ThreeMesh } from 'three';
import { expect, test } from 'vitest';
import * as convex from '../../src/convex/index.js';
import * as core from '../../src/core/index.js';
import { NearfieldError } from '../../src/core/index.js';
import * as culling from '../../src/culling/index.js';
import * as decomposition from '../../src/decomposition/index.js';
import * as dynamics from '../../src/dynamics/index.js';
import * as elastic from '../../src/elastic/index.js';
import * as field from '../../src/field/index.js';
import * as gpu from '../../src/gpu/index.js';
import * as ice from '../../src/ice/index.js';
import * as io from '../../src/io/index.js';
import { writeZip } from '../../src/io/zip/write-zip.js';
import * as mesh from '../../src/mesh/index.js';
import * as penetration from '../../src/penetration/index.js';
import * as pivot from '../../src/pivot/index.js';
import * as planning from '../../src/planning/index.js';
import * as proximity from '../../src/proximity/index.js';
import * as raster from '../../src/raster/index.js';
import * as spatial from '../../src/spatial/index.js';
import * as sweep from '../../src/sweep/index.js';
import * as three from '../../src/three/index.js';
import * as voronoi from '../../src/voronoi/index.js';

const CHAPTERS = {
  convex,
  core,
  culling,
  decomposition,
  dynamics,
  elastic,
  field,
  gpu,
  ice,
  io,
  mesh,
  penetration,
  pivot,
  planning,
  proximity,
  raster,
  spatial,
  sweep,
  three,
  voronoi,
};

/** Made anew each time: some calls write into what they are given. */
const badValues = (): unknown[] => [
  ...[null, undefined, 42, NaN, 'text', {}, [], () => {}],
  ...[{ x: 1, y: 2, z: 3 }, [[0, 0, 0]], { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }],
];

const HERE = [0, 0, 0, 0, 0, 0, 1];
const THERE = [0.5, 0.1, 0, 0, 0, 0, 1];
const BOX = mesh.findModel('box').build();
const model = (): proximity.ProximityModel => new proximity.ProximityModel(BOX);
const FRAME = field.gridOverBox({ min: [-1, -1, -1], max: [1, 1, 1] }, 5);
const FIELD = field.computeFieldSync(BOX, FRAME);
const SPARSE = field.computeSparseField(BOX, FRAME);
const HULL = convex.buildHull(BOX.positions);
const PIECES = decomposition.decomposeSurface(BOX);
const HULLS = decomposition.buildHierarchy(PIECES);
const PARTS = [HERE, THERE].map((pose, i) => ({ name: `part ${i}`, model: model(), pose: pose as core.Pose }));
const { clashes: CLASHES } = proximity.findClashes(PARTS);
const BCF = await writeZip([{ path: 'bcf.version', bytes: new TextEncoder().encode('<Version VersionId="3.0"/>') }]);
const TETRAHEDRA = elastic.tetrahedralizeMesh(BOX, { size: 0.5 }).mesh;
const PLAN: planning.PlanProblem = {
  robots: [
    {
      type: 'rigid',
      mesh: BOX,
      bounds: { min: [-9, -9, -9], max: [9, 9, 9] },
      start: [0, 0, 0, 0, 0, 0, 1],
      goal: [1, 0, 0, 0, 0, 0, 1],
    },
  ],
  environment: [],
};
const CHAIN: planning.ChainPlanRobot = {
  type: 'chain',
  links: [{ name: 'a' }, { name: 'b', mesh: BOX }],
  joints: [{ name: 'j', type: 'prismatic', parent: 'a', child: 'b', limits: [-1, 1] }],
};
const CHAIN_PLAN: planning.PlanProblem = {
  robots: [{ ...CHAIN, start: [-0.5], goal: [0.5], speed: { linear: 1 } } as planning.PlanRobot],
  environment: [],
};
const TRAJECTORY_LIMITS = { velocity: 1, acceleration: 1, jerk: 10 };
const trajectory = (): planning.Trajectory => {
  return planning.timePath(CHAIN_PLAN, planning.planMotion(CHAIN_PLAN), TRAJECTORY_LIMITS);
};
const MECHANISM: sweep.Mechanism = {
  type: 'mechanism',
  parts: [
    { name: 'a', mesh: BOX },
    { name: 'b', mesh: BOX, pose: [3, 0, 0, 0, 0, 0, 1] },
  ],
  joints: [{ name: 'turn', type: 'revolute', parent: 'a', child: 'b', range: [0, 1] }],
};
const AGENT: planning.AgentOptions = {
  ...{ name: 'a', mesh: BOX, pose: [-3, 0, 0, 0, 0, 0, 1], goal: [-4, 0, 0, 0, 0, 0, 1] },
  bounds: { min: [-9, -9, -9], max: [9, 9, 9] },
};
const agentWorld = (): planning.AgentWorld => {
  const world = new planning.AgentWorld();
  world.addAgent(AGENT);
  world.addAgent({ ...AGENT, name: 'b', pose: [3, 0, 0, 0, 0, 0, 1], goal: undefined });
  world.addObstacle({ mesh: BOX, pose: [0, 5, 0, 0, 0, 0, 1] });
  return world;
};
const voronoiPlanner = (): planning.VoronoiPlanner => {
  const robots = [{ ...PLAN.robots[0], type: 'planar', plane: 'xy' } as planning.PlanarPlanRobot];
  return new planning.VoronoiPlanner({ robots, environment: [{ mesh: BOX, pose: [5, 5, 0, 0, 0, 0, 1] }] });
};
const elasticBody = (): elastic.ElasticBody => new elastic.ElasticBody(TETRAHEDRA, { young: 1e6 });
const FILE = io.createModel({ name: 'box', mesh: BOX }, 'obj');
const ICE_STATE = await (await ice.createIce({ size: [8, 8] })).read();
const SQUARE = mesh.createPolygon([[0, 0, 1, 0, 1, 1, 0, 1]]);
const DEPTH = penetration.measurePenetrationSync(PARTS[0].model, PARTS[1].model, HERE, THERE);
const BYTES = await io.writeModel(FILE, 'obj');
const PNG = await io.writePng({ width: 1, height: 1, channels: 1, pixels: new Uint8Array(1) });
const DRAWING = await io.readSvg('<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>');
const POINTS = new Float64Array(6);
const SITES: voronoi.PlaneSite[] = [
  { type: 'point', at: [0, 0] },
  { type: 'segment', a: [1, 0], b: [1, 1] },
];
const SPACE_SITES: voronoi.SpaceSite[] = [
  { type: 'point', at: [0, 0, 0] },
  { type: 'segment', a: [1, 0, 0], b: [1, 1, 1] },
];
const IMAGE = voronoi.computeVoronoiSync(SITES, { resolution: 8 });
const GRAPH = voronoi.computeVoronoiGraph(SITES);
const SHAPE = { rings: SQUARE.rings };
const SHIFTED = { rings: SQUARE.rings, pose: [0.5, 0.25, 0.1] };
const PATCH: pivot.NurbsSurface = {
  degreeU: 1,
  degreeV: 1,
  knotsU: [0, 0, 1, 1],
  knotsV: [0, 0, 1, 1],
  points: new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]),
};
const PLANE_BOX = [-1, -1, 1, 1];
const STEPS = { maxMilliseconds: 5000 };

function world(): dynamics.RigidWorld {
  const made = new dynamics.RigidWorld();
  made.addBody({ shape: { sphere: 1 } });
  return made;
}

function planeWorld(): dynamics.PlaneWorld {
  const made = new dynamics.PlaneWorld();
  made.addBody({ shape: { circle: 1 } });
  made.addBody({
    shape: {
      polygon: [
        [4, 0],
        [5, 0],
        [4, 1],
      ],
      elastic: { waveSpeed: 1, frequency: 1 },
    },
  });
  made.addJoint({ type: 'pin', bodyA: 0, at: [0, 0] });
  return made;
}

const SIMULATION = await dynamics.readSimulationScene({ bodies: [{ shape: { sphere: 1 } }] });

function joined(): dynamics.RigidWorld {
  const made = world();
  made.addJoint({ type: 'hinge', bodyA: 0, at: [0, 1, 0] });
  return made;
}

function scene(): proximity.Scene {
  const made = new proximity.Scene();
  made.add(model());
  made.add(model(), { pose: THERE });
  return made;
}

function queries(): proximity.QueryBatch {
  const batch = new proximity.QueryBatch();
  batch.addDistance(0, 0, HERE, THERE);
  return batch;
}

const pair = (): proximity.Pair => new proximity.Pair(model(), model());
const query = (): mesh.MeshQuery => new mesh.MeshQuery(BOX);
const object = (): ThreeMesh => new ThreeMesh(new BoxGeometry());
const MOTION = { a: HERE, b: { from: [5, 0, 0, 0, 0, 0, 1], to: HERE } };

/** Valid arguments. The name is that of the function, `new` and that of the class, or class.method with its object first. */
const SAMPLES: Record<string, () => unknown[]> = {
  'core.pose.create': () => [
    [0, 0, 0],
    [0, 0, 0, 1],
  ],
  'core.pose.parse': () => [HERE, 'A'],
  'core.pose.fromMatrix4': () => [core.pose.toMatrix4(HERE)],
  'core.pose.fromColumnMajor': () => [core.pose.toColumnMajor(HERE)],
  'core.createRandom': () => [1],
  'core.partOfProgress': () => [{}, 0, 1],
  'core.reportProgress': () => [{}, 0, 'stage'],
  'spatial.buildBvh': () => [new Float64Array(6), {}],
  'mesh.assertMesh': () => [BOX],
  'mesh.buildAdjacency': () => [BOX],
  'mesh.createMesh': () => [BOX.positions, BOX.indices],
  'mesh.createPolygon': () => [[[0, 0, 1, 0, 1, 1]]],
  'mesh.extrudePolygon': () => [SQUARE, { depth: 1 }],
  'mesh.findBoundaryLoops': () => [BOX],
  'mesh.findComponents': () => [BOX],
  'mesh.findModel': () => ['box'],
  'mesh.findSelfIntersections': () => [BOX, {}],
  'mesh.inspectMesh': () => [BOX, {}],
  'mesh.locateInPolygon': () => [SQUARE, 0, 0],
  'mesh.massProperties': () => [BOX, 1],
  'mesh.orientFaces': () => [BOX],
  'mesh.polygonArea': () => [SQUARE],
  'mesh.repairMesh': () => [BOX, {}],
  'mesh.makeSound': () => [BOX, {}],
  'mesh.triangulatePolygon': () => [SQUARE],
  'mesh.weldVertices': () => [BOX, {}],
  'new mesh.MeshQuery': () => [BOX, {}],
  'mesh.MeshQuery.windingNumber': () => [query(), [0, 0, 0]],
  'mesh.MeshQuery.isInside': () => [query(), [0, 0, 0]],
  'mesh.MeshQuery.closestPoint': () => [query(), [0, 0, 0], 1],
  'mesh.MeshQuery.signedDistance': () => [query(), [0, 0, 0]],
  'mesh.MeshQuery.raycast': () => [query(), [0, 0, 0], [0, 0, 1], {}],
  'mesh.MeshQuery.rayHits': () => [query(), [0, 0, 0], [0, 0, 1], {}],
  'mesh.MeshQuery.windingNumbers': () => [query(), POINTS, new Float64Array(2), {}],
  'mesh.MeshQuery.insidePoints': () => [query(), POINTS, new Uint8Array(2), {}],
  'mesh.MeshQuery.signedDistances': () => [query(), POINTS, new Float64Array(2), {}],
  'mesh.MeshQuery.closestPoints': () => [query(), POINTS, {}, {}],
  'io.createModel': () => [{ name: 'box', mesh: BOX }, 'obj'],
  'io.detectFormat': () => [BYTES, 'box.obj'],
  'io.formatOfFileName': () => ['box.obj'],
  'io.mergeModel': () => [FILE],
  'io.readModel': () => [BYTES, { fileName: 'box.obj' }],
  'io.readBcf': () => [BCF, {}],
  'io.readPng': () => [PNG],
  'io.polygonsFromSvg': () => [DRAWING, {}],
  'io.readSvg': () => ['<svg viewBox="0 0 1 1"><line x2="1"/></svg>', {}],
  'io.readNpy': () => [io.writeNpy(POINTS, [6])],
  'io.writeModel': () => [FILE, 'stl', {}],
  'io.writeNpy': () => [POINTS, [6]],
  'io.writePng': () => [{ width: 1, height: 1, channels: 1, pixels: new Uint8Array(1) }],
  'convex.buildHull': () => [BOX.positions, {}],
  'convex.closestFeatures': () => [HULL, HULL, HERE, THERE, {}],
  'new convex.MinkowskiSums': () => [{}],
  'new convex.IncrementalHull': () => [BOX.positions],
  'decomposition.decomposeSurface': () => [BOX, {}],
  'decomposition.decomposeSolid': () => [BOX, {}],
  'decomposition.fractureSolid': () => [BOX, { fragments: 3 }],
  'decomposition.findReflexEdges': () => [BOX],
  'decomposition.lowerBounds': () => [BOX, {}],
  'decomposition.pieceColor': () => [0],
  'decomposition.readHierarchy': () => [decomposition.writeHierarchy(HULLS)],
  'new proximity.ProximityModel': () => [BOX, {}],
  'proximity.ProximityModel.adoptHulls': () => [model(), HULLS],
  'proximity.ProximityModel.isInside': () => [model(), [0, 0, 0]],
  'proximity.ProximityModel.signedDistance': () => [model(), [0, 0, 0]],
  'new proximity.Pair': () => [model(), model(), {}],
  'proximity.Pair.intersects': () => [pair(), HERE, THERE],
  'proximity.Pair.within': () => [pair(), HERE, THERE, 1],
  'proximity.Pair.distance': () => [pair(), HERE, THERE, {}],
  'proximity.Pair.contacts': () => [pair(), HERE, THERE, { tolerance: 1 }],
  'proximity.Pair.timeOfImpact': () => [pair(), MOTION, {}],
  'proximity.Pair.validateMotion': () => [pair(), MOTION, {}],
  'new proximity.QueryBatch': () => [],
  'proximity.QueryBatch.addIntersection': () => [queries(), 0, 0, HERE, THERE],
  'proximity.QueryBatch.addWithin': () => [queries(), 0, 0, HERE, THERE, 1],
  'proximity.QueryBatch.addDistance': () => [queries(), 0, 0, HERE, THERE, 1],
  'new proximity.Scene': () => [{}],
  'proximity.Scene.add': () => [scene(), model(), {}],
  'proximity.Scene.remove': () => [scene(), 0],
  'proximity.Scene.setPose': () => [scene(), 0, HERE],
  'proximity.Scene.setGroup': () => [scene(), 0, 1, 1],
  'proximity.Scene.setFixed': () => [scene(), 0, true],
  'proximity.Scene.setPairRule': () => [scene(), 0, 1, 'never'],
  'proximity.Scene.pairRule': () => [scene(), 0, 1],
  'proximity.Scene.poseOf': () => [scene(), 0],
  'proximity.Scene.modelOf': () => [scene(), 0],
  'proximity.Scene.boxOf': () => [scene(), 0],
  'proximity.Scene.intersections': () => [scene(), {}],
  'proximity.Scene.within': () => [scene(), 1, {}],
  'proximity.Scene.distances': () => [scene(), {}],
  'proximity.Scene.contacts': () => [scene(), { tolerance: 1 }],
  'proximity.Scene.nearest': () => [scene(), {}],
  'new proximity.SweepAndPrune': () => [{}],
  'proximity.SweepAndPrune.has': () => [new proximity.SweepAndPrune(), 0],
  'proximity.SweepAndPrune.place': () => [new proximity.SweepAndPrune(), 0, [0, 0, 0, 1, 1, 1], 0],
  'proximity.SweepAndPrune.remove': () => [new proximity.SweepAndPrune(), 0],
  'proximity.buildAssembly': () => [FILE, {}],
  'proximity.buildGearbox': () => [],
  'proximity.findClashes': () => [PARTS, {}],
  'new proximity.ClashCheck': () => [PARTS, {}],
  'proximity.ClashCheck.job': () => [new proximity.ClashCheck(PARTS), 0],
  'proximity.runClashJob': () => [[model(), model()], { ...new proximity.ClashCheck(PARTS).job(0).job }, {}],
  'proximity.groupClashes': () => [PARTS, CLASHES],
  'proximity.groupClashesByPlace': () => [CLASHES, 1],
  'proximity.groupClashesByType': () => [PARTS, CLASHES],
  'proximity.findMovingClashes': () => [PARTS, { times: [0], poses: [null, null] }, {}],
  'new proximity.PairRules': () => [PARTS, []],
  'proximity.findContacts': () => [model(), model(), HERE, THERE, { tolerance: 1 }],
  'proximity.findCrossingCurves': () => [model(), model(), HERE, THERE, {}],
  'proximity.hasHulls': () => [model()],
  'proximity.hullsOf': () => [model(), {}],
  'proximity.measureDistance': () => [model(), model(), HERE, THERE, {}],
  'proximity.prepareModel': () => [model(), 'auto', {}],
  'proximity.runBatch': () => [[model()], queries(), {}],
  'proximity.testIntersection': () => [model(), model(), HERE, THERE],
  'proximity.testTolerance': () => [model(), model(), HERE, THERE, 1],
  'proximity.timeOfImpact': () => [model(), model(), MOTION, {}],
  'proximity.validateMotion': () => [model(), model(), MOTION, {}],
  'raster.createRasterizer': () => [{}],
  'raster.createSoftwareRasterizer': () => [],
  'field.compareFields': () => [FIELD, FIELD, {}],
  'field.computeField': () => [BOX, FRAME, {}],
  'field.computeFieldSync': () => [BOX, FRAME, {}],
  'field.computeSparseField': () => [BOX, FRAME, {}],
  'field.distanceTransform': () => [[2, 2, 1], new Int32Array(4), {}],
  'field.drawField': () => [field.sliceField(FIELD, 2, 0), {}],
  'field.extractIsolines': () => [field.sliceField(FIELD, 2, 0), [0]],
  'field.extractIsosurface': () => [FIELD, 0, {}],
  'field.fieldGradient': () => [FIELD],
  'field.gridOverBox': () => [{ min: [0, 0, 0], max: [1, 1, 1] }, 4, {}],
  'field.jumpFlood': () => [[2, 2, 1], new Int32Array(4), {}],
  'field.marchFromBand': () => [FRAME, FIELD.values, {}],
  'field.offsetMesh': () => [BOX, { distance: 0.1, resolution: 12 }],
  'field.readFieldNpy': () => {
    const { npy, header } = field.writeFieldNpy(FIELD);
    return [npy, header];
  },
  'field.readFieldRaw': () => {
    const { raw, header } = field.writeFieldRaw(FIELD);
    return [raw, header];
  },
  'field.sampleField': () => [FIELD, [0, 0, 0], {}],
  'field.sampleFieldAt': () => [FIELD, POINTS, new Float64Array(2), {}],
  'field.sampleGradient': () => [FIELD, [0, 0, 0], [0, 0, 0], {}],
  'field.sampleGradientAt': () => [FIELD, POINTS, new Float64Array(6), {}],
  'field.sampleFunction': () => [FRAME, (x: number) => x],
  'field.sliceField': () => [FIELD, 2, 0],
  'field.solidify': () => [BOX, { resolution: 12 }],
  'field.writeFieldNpy': () => [FIELD, {}],
  'field.writeFieldRaw': () => [FIELD, {}],
  'field.writeFieldSlices': () => [FIELD, {}],
  'new field.FieldSampler': () => [FIELD, {}],
  'field.FieldSampler.value': () => [new field.FieldSampler(FIELD), 0, 0, 0],
  'new field.MarchedField': () => [BOX, FRAME, {}],
  'field.MarchedField.update': () => [new field.MarchedField(BOX, FRAME), BOX, {}],
  'field.SparseField.sample': () => [SPARSE, [0, 0, 0]],
  'field.SparseField.gradient': () => [SPARSE, [0, 0, 0]],
  'penetration.gradeClashes': () => [PARTS, CLASHES, {}],
  'penetration.measureGeneralizedPenetration': () => [model(), model(), HERE, THERE, STEPS],
  'penetration.measurePenetration': () => [model(), model(), HERE, THERE, {}],
  'penetration.measurePenetrationSync': () => [model(), model(), HERE, THERE, {}],
  'penetration.penetrationGradient': () => [DEPTH, HERE, THERE, PARTS[0].model, PARTS[1].model, {}],
  'penetration.preparePenetration': () => [model(), {}],
  'penetration.separateBodies': () => [PARTS, {}],
  'new penetration.PenetrationPair': () => [model(), model(), {}],
  'penetration.PenetrationPair.measure': () => [new penetration.PenetrationPair(model(), model()), HERE, THERE],
  'new penetration.ScenePenetration': () => [scene(), {}],
  'penetration.ScenePenetration.prepare': () => [new penetration.ScenePenetration(scene()), {}],
  'penetration.ScenePenetration.measure': () => [new penetration.ScenePenetration(scene()), {}],
  'penetration.ScenePenetration.measurePair': () => [new penetration.ScenePenetration(scene()), 0, 1, {}],
  'pivot.evaluateNurbs': () => [PATCH, 0.5, 0.5],
  'pivot.tessellateNurbs': () => [PATCH, { error: 0.1 }],
  'pivot.findNearNurbs': () => [[PATCH, PATCH], 0.1],
  'new pivot.PlanePivot': () => [{}],
  'pivot.PlanePivot.intersect': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, SHIFTED, 'boundary-volume'],
  'pivot.PlanePivot.penetration': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, SHIFTED],
  'pivot.PlanePivot.contacts': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, SHIFTED, 0.1],
  'pivot.PlanePivot.closestPoint': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, SHIFTED],
  'pivot.PlanePivot.separation': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, SHIFTED, {}],
  'pivot.PlanePivot.field': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, PLANE_BOX],
  'pivot.PlanePivot.distances': () => [new pivot.PlanePivot({ error: 0.1 }), SHAPE, POINTS, new Float64Array(3)],
  'new pivot.PlaneScene': () => [{}],
  'pivot.PlaneScene.penetration': () => [new pivot.PlaneScene({ error: 0.1 }), [SHAPE, SHIFTED]],
  'pivot.PlaneScene.contacts': () => [new pivot.PlaneScene({ error: 0.1 }), [SHAPE, SHIFTED], 0.1],
  'new pivot.PlaneImagePivot': () => [{}],
  'pivot.PlaneImagePivot.intersect': () => [
    ...[new pivot.PlaneImagePivot({ error: 0.1 }), SHAPE, SHIFTED, 'boundary-volume'],
  ],
  'pivot.PlaneImagePivot.penetration': () => [new pivot.PlaneImagePivot({ error: 0.1 }), SHAPE, SHIFTED],
  'new pivot.SpacePivot': () => [{}],
  'pivot.SpacePivot.penetration': () => [new pivot.SpacePivot({ error: 0.1 }), BOX, BOX],
  'pivot.SpacePivot.penetrationSync': () => [new pivot.SpacePivot({ error: 0.1 }), BOX, BOX],
  'pivot.SpacePivot.contactsSync': () => [new pivot.SpacePivot({ error: 0.1 }), BOX, BOX, 0.1],
  'pivot.SpacePivot.separationSync': () => [new pivot.SpacePivot({ error: 0.1 }), BOX, BOX, {}],
  'pivot.SpacePivot.intersectionSync': () => [new pivot.SpacePivot({ error: 0.1 }), BOX, BOX],
  'pivot.SpacePivot.fieldSync': () => [
    ...[new pivot.SpacePivot({ error: 0.2 }), BOX, { min: [-1, -1, -1], max: [1, 1, 1] }],
  ],
  'new culling.CollisionCuller': () => [{}],
  'culling.CollisionCuller.cull': () => [new culling.CollisionCuller(), [BOX, BOX]],
  'culling.CollisionCuller.cullSync': () => [new culling.CollisionCuller(), [BOX, BOX]],
  'dynamics.timeOfContact': () => [
    { shape: dynamics.CollisionShape.ball(1), pose: HERE, velocity: [1, 0, 0] },
    { shape: dynamics.CollisionShape.ball(1), pose: [4, 0, 0, 0, 0, 0, 1] },
    { duration: 2 },
  ],
  'dynamics.readSimulationScene': () => [{ bodies: [{ shape: { sphere: 1 } }] }, {}],
  'dynamics.simulateScene': () => [SIMULATION, { steps: 1 }],
  'dynamics.animateFrames': () => [SIMULATION.bodies, [SIMULATION.frame()]],
  'new dynamics.RigidWorld': () => [{}],
  'dynamics.RigidWorld.addBody': () => [world(), { shape: { box: [1, 1, 1] } }],
  'dynamics.RigidWorld.removeBody': () => [world(), 0],
  'dynamics.RigidWorld.readPoses': () => [world(), new Float64Array(7)],
  'dynamics.RigidWorld.poseOf': () => [world(), 0],
  'dynamics.RigidWorld.centerOf': () => [world(), 0],
  'dynamics.RigidWorld.velocityOf': () => [world(), 0],
  'dynamics.RigidWorld.angularVelocityOf': () => [world(), 0],
  'dynamics.RigidWorld.massOf': () => [world(), 0],
  'dynamics.RigidWorld.shapeOf': () => [world(), 0],
  'dynamics.RigidWorld.frictionOf': () => [world(), 0],
  'dynamics.RigidWorld.poseAt': () => [world(), 0, 1],
  'dynamics.RigidWorld.applyTorque': () => [world(), 0, [1, 0, 0]],
  'dynamics.RigidWorld.setPose': () => [world(), 0, HERE],
  'dynamics.RigidWorld.setVelocity': () => [world(), 0, [1, 0, 0], [0, 1, 0]],
  'dynamics.RigidWorld.applyForce': () => [world(), 0, [1, 0, 0], [0, 1, 0]],
  'dynamics.RigidWorld.addJoint': () => [world(), { type: 'ball', bodyA: 0, at: [0, 1, 0] }],
  'dynamics.RigidWorld.removeJoint': () => [joined(), 0],
  'dynamics.RigidWorld.jointPosition': () => [joined(), 0],
  'dynamics.RigidWorld.setMotor': () => [joined(), 0, { speed: 1 }],
  'dynamics.RigidWorld.grab': () => [world(), 0, [0, 1, 0]],
  'dynamics.RigidWorld.isAsleep': () => [world(), 0],
  'dynamics.RigidWorld.restore': () => [world(), world().snapshot()],
  'dynamics.RigidWorld.applyImpulse': () => [world(), 0, [1, 0, 0], [0, 1, 0]],
  'new dynamics.PlaneWorld': () => [{}],
  'dynamics.PlaneWorld.addBody': () => [planeWorld(), { shape: { circle: 1 } }],
  'dynamics.PlaneWorld.removeBody': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.addJoint': () => [planeWorld(), { type: 'pin', bodyA: 0, at: [0, 0] }],
  'dynamics.PlaneWorld.removeJoint': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.setMotor': () => [planeWorld(), 0, 1],
  'dynamics.PlaneWorld.poseOf': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.readPoses': () => [planeWorld(), new Float64Array(6)],
  'dynamics.PlaneWorld.centerOf': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.velocityOf': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.angularVelocityOf': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.massOf': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.isAsleep': () => [planeWorld(), 0],
  'dynamics.PlaneWorld.nodesOf': () => [planeWorld(), 1],
  'dynamics.PlaneWorld.setNodes': () => [planeWorld(), 1, [4, 0, 5, 0, 4, 1], [0, 0, 0, 0, 0, 0]],
  'dynamics.PlaneWorld.setPose': () => [planeWorld(), 0, [0, 0, 0]],
  'dynamics.PlaneWorld.setVelocity': () => [planeWorld(), 0, [1, 0], 1],
  'dynamics.PlaneWorld.applyForce': () => [planeWorld(), 0, [1, 0], [0, 1]],
  'dynamics.PlaneWorld.applyImpulse': () => [planeWorld(), 0, [1, 0], [0, 1]],
  'dynamics.PlaneWorld.bodyAt': () => [planeWorld(), 0, 0],
  'dynamics.PlaneWorld.grab': () => [planeWorld(), 0, [0, 0]],
  'dynamics.PlaneWorld.restore': () => [planeWorld(), planeWorld().snapshot()],
  'ice.createIce': () => [{ size: [8, 8] }],
  'ice.createIceOnModel': () => [BOX, { resolution: 8 }],
  'ice.measureIce': () => [ICE_STATE, ice.ICE_PRESETS.plate.parameters],
  'ice.iceHeights': () => [ICE_STATE, {}],
  'ice.iceMesh': () => [ICE_STATE, {}],
  'ice.drawIce': () => [ICE_STATE, {}],
  'planning.planMotion': () => [PLAN, {}],
  'new planning.MotionPlanner': () => [PLAN, {}],
  'planning.MotionPlanner.plan': () => [
    new planning.MotionPlanner(PLAN),
    PLAN.robots[0].start,
    PLAN.robots[0].goal,
    {},
  ],
  'planning.MotionPlanner.time': () => {
    return [new planning.MotionPlanner(CHAIN_PLAN), planning.planMotion(CHAIN_PLAN), TRAJECTORY_LIMITS];
  },
  'planning.MotionPlanner.moveObstacle': () => {
    const environment = [{ mesh: BOX, pose: [5, 5, 5, 0, 0, 0, 1] }];
    return [new planning.MotionPlanner({ ...PLAN, environment }), 0, [4, 5, 5, 0, 0, 0, 1]];
  },
  'planning.timePath': () => [CHAIN_PLAN, planning.planMotion(CHAIN_PLAN), TRAJECTORY_LIMITS],
  'planning.trajectoryAt': () => [trajectory(), 0.1],
  'planning.writeTrajectory': () => [trajectory(), 'json'],
  'planning.planQueries': () => [
    { ...PLAN, queries: [{ start: PLAN.robots[0].start!, goal: PLAN.robots[0].goal! }] },
    {},
  ],
  'new planning.VoronoiPlanner': () => [PLAN],
  'planning.VoronoiPlanner.plan': () => [voronoiPlanner(), [0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 1]],
  'planning.VoronoiPlanner.moveObstacle': () => [voronoiPlanner(), 0, [5, 5, 6, 0, 0, 0, 1]],
  'new planning.Roadmap': () => [PLAN, { samples: 2 }],
  'planning.Roadmap.grow': () => [new planning.Roadmap(PLAN, { samples: 2 }), { samples: 1 }],
  'planning.Roadmap.query': () => {
    return [new planning.Roadmap(PLAN, { samples: 2 }), PLAN.robots[0].start, PLAN.robots[0].goal, {}];
  },
  'planning.Roadmap.moveObstacle': () => {
    const scene = { ...PLAN, environment: [{ mesh: BOX, pose: [5, 5, 5, 0, 0, 0, 1] }] };
    return [new planning.Roadmap(scene, { samples: 2 }), 0, [4, 5, 5, 0, 0, 0, 1]];
  },
  'new planning.AgentWorld': () => [{ distance: 0.01 }],
  'planning.AgentWorld.addAgent': () => [new planning.AgentWorld(), AGENT],
  'planning.AgentWorld.addObstacle': () => [new planning.AgentWorld(), { mesh: BOX, pose: [5, 0, 0, 0, 0, 0, 1] }],
  'planning.AgentWorld.addConstraint': () => [agentWorld(), { type: 'apart', agents: ['a', 'b'], distance: 0.1 }],
  'planning.AgentWorld.moveObstacle': () => [agentWorld(), 0, [0, 5, 1, 0, 0, 0, 1]],
  'planning.AgentWorld.setGoal': () => [agentWorld(), 'a', [-4, 0, 0, 0, 0, 0, 1]],
  'planning.agentSample': () => ['doorway', { agents: 2 }],
  'new planning.DeformableAgent': () => [
    {
      mesh: BOX,
      pose: HERE,
      goal: [0, 0, 0],
      bounds: { min: [-3, -3, -3], max: [3, 3, 3] },
      obstacles: [{ mesh: BOX, pose: [9, 0, 0, 0, 0, 0, 1] }],
      material: { young: 1e4, poisson: 0.3, density: 100 },
      force: 10,
    },
  ],
  'planning.createAgentWorld': () => [planning.agentSample('doorway', { agents: 2 })],
  'planning.animatePath': () => [PLAN, planning.planMotion(PLAN)],
  'planning.samplePath': () => [PLAN, planning.planMotion(PLAN), { frames: 3 }],
  'planning.forwardKinematics': () => [CHAIN, [0]],
  'planning.solveInverseKinematics': () => [CHAIN, { link: 'b', position: [1, 0, 0] }, { starts: 2 }],
  'planning.readUrdf': () => ['<robot><link name="a"/></robot>', { touching: 'none' }],
  'planning.readMjcf': () => ['<mujoco><worldbody><body name="a"/></worldbody></mujoco>', { touching: 'always' }],
  'planning.readPlanningScene': () => ['scene\n* box\n1\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n', {}],
  'planning.writeUrdf': () => [CHAIN],
  'planning.planningSample': () => ['hole', { share: 1.5 }],
  'planning.writePlanProblem': () => [PLAN],
  'planning.readPlanProblem': () => [JSON.stringify({ robots: [], environment: [] }), { loadMesh: () => BOX }],
  'sweep.sweep': () => [MECHANISM, { clearance: 0.1 }],
  'sweep.readMechanism': () => [JSON.stringify({ parts: [{ name: 'a' }], joints: [] }), { loadMesh: () => BOX }],
  'sweep.motionSample': () => ['engine'],
  'sweep.movingAssembly': () => [{ ...FILE, motion: { times: [0], transforms: FILE.parts.map(() => null) } }],
  'sweep.certifyTrajectory': () => [
    PLAN,
    { points: [HERE, THERE].map((pose, time) => ({ time, pose })) },
    { clearance: 0.1 },
  ],
  'sweep.sampleTrajectory': () => [
    PLAN,
    { points: [HERE, THERE].map((pose, time) => ({ time, pose })) },
    { frames: 3 },
  ],
  'sweep.readTrajectory': () => ['time,a\n0,1\n1,2\n'],
  'sweep.clearanceGradient': () => [model(), model(), HERE, [3, 0.1, 0.2, 0, 0, 0, 1], { maxCells: 100 }],
  'new sweep.RobotClearance': () => [PLAN],
  'sweep.RobotClearance.at': () => [new sweep.RobotClearance(PLAN), HERE],
  'sweep.RobotClearance.smooth': () => [new sweep.RobotClearance(PLAN), HERE, { error: 0.1 }],
  'new sweep.MotionStudy': () => [MECHANISM, {}],
  'sweep.MotionStudy.posesAt': () => [new sweep.MotionStudy(MECHANISM), { turn: 0.5 }],
  'sweep.MotionStudy.curve': () => [new sweep.MotionStudy(MECHANISM), 'a', 'b', { turn: 0.5 }, 'turn', 3],
  'sweep.MotionStudy.map': () => [
    new sweep.MotionStudy(sweep.motionSample('arm'), { vary: { turn: null, elbow: null } }),
    'base',
    'hand',
    {},
    2,
  ],
  'elastic.tetrahedralizeMesh': () => [BOX, { size: 0.5 }],
  'new elastic.ElasticBody': () => [TETRAHEDRA, { young: 1e6 }],
  'elastic.ElasticBody.hold': () => [elasticBody(), [0, 1], [0, 0, 0, 1, 0, 0]],
  'elastic.ElasticBody.release': () => [elasticBody(), [0]],
  'elastic.ElasticBody.load': () => [elasticBody(), TETRAHEDRA.elements, [1, 0, 0]],
  'elastic.ElasticBody.solveStatic': () => [elasticBody(), {}],
  'elastic.ElasticBody.step': () => [elasticBody(), 0.01, {}],
  'new elastic.ElasticWorld': () => [{ timestep: 0.01 }],
  'elastic.ElasticWorld.addBody': () => [new elastic.ElasticWorld(), elasticBody(), {}],
  'elastic.ElasticWorld.removeBody': () => {
    const made = elasticWorld();
    return [made, made.bodies[0]];
  },
  'elastic.ElasticWorld.hold': () => {
    const made = elasticWorld();
    return [made, made.bodies[0], [0, 1], [{ time: 0, offset: [0, 0, 0] }]];
  },
  'elastic.ElasticWorld.grab': () => {
    const made = elasticWorld();
    return [made, made.bodies[0], [0]];
  },
  'elastic.ElasticWorld.depthsOf': () => {
    const made = elasticWorld();
    return [made, made.bodies[0]];
  },
  'elastic.ElasticWorld.solveStatic': () => [elasticWorld(), 0, { maxIterations: 2 }],
  'elastic.ElasticWorld.forceOn': () => {
    const made = new elastic.ElasticWorld({ rigid: world() });
    return [made, 0];
  },
  'elastic.splitSurfaceElements': () => [TETRAHEDRA],
  'elastic.measureElements': () => [TETRAHEDRA],
  'elastic.elementVolumes': () => [TETRAHEDRA],
  'elastic.findSurface': () => [TETRAHEDRA],
  'elastic.surfaceMesh': () => [TETRAHEDRA],
  'elastic.writeTetrahedra': () => [TETRAHEDRA, 'vtk', {}],
  'elastic.readTetrahedra': () => [elastic.writeTetrahedra(TETRAHEDRA, 'msh')],
  'voronoi.computeVoronoi': () => [SITES, { resolution: 8 }],
  'voronoi.computeVoronoiSync': () => [SITES, { resolution: 8 }],
  'new voronoi.VoronoiImager': () => [],
  'voronoi.VoronoiImager.render': () => [new voronoi.VoronoiImager(), SITES, { resolution: 8 }],
  'voronoi.traceBoundaries': () => [SITES, IMAGE, {}],
  'voronoi.computeVoronoiGraph': () => [SITES, {}],
  'new voronoi.LiveVoronoi': () => [SITES, {}],
  'voronoi.LiveVoronoi.add': () => [new voronoi.LiveVoronoi(SITES), { type: 'point', at: [0.5, 0.5] }],
  'voronoi.LiveVoronoi.replace': () => [new voronoi.LiveVoronoi(SITES), 0, { type: 'point', at: [0.5, 0.5] }],
  'voronoi.LiveVoronoi.remove': () => [new voronoi.LiveVoronoi(SITES), 0],
  'voronoi.findGraphPath': () => [GRAPH, SITES, [0.2, 0.2], [0.8, 0.8], {}],
  'voronoi.computeMedialAxis': () => [SQUARE, {}],
  'voronoi.sitesFromSvg': () => [DRAWING],
  'voronoi.computeSpaceVoronoi': () => [SPACE_SITES, { resolution: 4 }],
  'voronoi.computeSpaceVoronoiSync': () => [SPACE_SITES, { resolution: 4 }],
  'voronoi.computeSpaceSheets': () => [SPACE_SITES, { resolution: 4 }],
  'voronoi.computeSpaceGraph': () => [SPACE_SITES, { resolution: 4 }],
  'voronoi.computeSolidMedialAxis': () => [BOX, { resolution: 8 }],
  'three.modelFrom': () => [object(), {}],
  'new three.ObjectModel': () => [object(), {}],
  'new three.LivePair': () => [object(), object(), {}],
  'three.LivePair.distance': () => [new three.LivePair(object(), object()), {}],
  'three.LivePair.within': () => [new three.LivePair(object(), object()), 1],
  'three.LivePair.contacts': () => [new three.LivePair(object(), object()), { tolerance: 1 }],
  'three.poseFrom': () => [object()],
};

function elasticWorld(): elastic.ElasticWorld {
  const made = new elastic.ElasticWorld();
  made.addBody(elasticBody());
  return made;
}

/** What is not tested, and why. */
const LEFT_OUT: Record<string, string> = {
  ...reason('takes only what another function of the library made, and reads it unchecked', [
    ...['convex.createConvexSetOf', 'convex.mergeFacets', 'convex.hullToMesh', 'convex.measureHull'],
    ...['convex.convexDepth', 'convex.buildMinkowskiSum', 'convex.createConvexSet'],
    ...['decomposition.countNewFaces', 'decomposition.patchCount', 'decomposition.buildHierarchy'],
    ...['decomposition.bytesPerTriangle', 'decomposition.nodeCount', 'decomposition.nodeLevels'],
    ...['decomposition.writeHierarchy', 'decomposition.piecesToModel', 'field.extractSparseIsosurface'],
    ...[
      'pivot.PlaneField',
      'field.SparseField',
      'field.readFieldSlices',
      'penetration.classifyFeatures',
      'spatial.refitBvh',
    ],
    ...['spatial.traverseBvh', 'spatial.traverseSelf', 'dynamics.CollisionShape'],
  ]),
  ...reason('arithmetic of inner loops, which checks nothing', [
    ...['mesh.triangleBoxes', 'mesh.triangleCount', 'mesh.vertexCount', 'mesh.nextHalfEdge', 'mesh.previousHalfEdge'],
    ...['mesh.trianglesIntersect', 'spatial.boxesOverlap', 'penetration.pixelCenter', 'penetration.writeDirection'],
    ...['penetration.writeViewMatrix', 'field.frameBox', 'field.gridNodeCount', 'field.nodeIndex'],
    ...['field.nodePosition', 'field.floodSteps', 'field.packSites', 'core.NearfieldError'],
    ...['elastic.carrySurface'],
  ]),
  ...reason('needs a GPU; tests/gpu and tests/raster refuse wrong devices', [
    ...['field.floodFieldOnGpu', 'field.GpuFlood', 'field.jumpFloodOnGpu', 'gpu.adoptGpuDevice'],
    ...['gpu.requestGpuDevice', 'raster.createWebGpuRasterizer', 'voronoi.GpuVoronoi'],
  ]),
  ...reason('needs workers; tests/proximity/batch refuses wrong models, tasks and options', [
    ...['field.computeFieldInPool', 'penetration.measurePenetrationInPool', 'proximity.BatchPool'],
    ...['proximity.serveBatches', 'proximity.findContactsInPool', 'proximity.prepareInPool'],
    ...['proximity.findContactsOfPairsInPool', 'penetration.gradeClashesInPool', 'field.computeSparseFieldInPool'],
    ...['penetration.measurePenetrationOfPairsInPool', 'sweep.sweepInPool'],
  ]),
  ...reason('a generator, which looks at its arguments later; tests/proximity/assembly refuses wrong ones', [
    'proximity.streamClashes',
  ]),
  ...reason('draws with three.js, which checks its own colors and objects', [
    ...['three.accelerateRaycast', 'three.ContactsHelper', 'three.FieldSliceHelper', 'three.MarkedSegments'],
    ...['three.PenetrationHelper', 'three.WitnessHelper', 'three.writeWitness'],
  ]),
};

function reason(why: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]));
}

type Call = (...args: unknown[]) => unknown;

function callOf(name: string): Call {
  const path = name.replace(/^new /, '').split('.');
  let at: unknown = CHAPTERS;
  let owner: unknown = null;
  for (const [i, key] of path.entries()) {
    owner = at;
    if (i === 2 && typeof at === 'function') at = (at as { prototype: object }).prototype;
    at = (at as Record<string, unknown>)[key];
  }
  if (name.startsWith('new ')) return (...args) => Reflect.construct(at as new () => object, args);
  if (typeof owner === 'function') return (self, ...args) => (at as Call).apply(self, args);
  return (...args) => (at as Call)(...args);
}

/** What went wrong, if it is not an error of the library. */
async function fault(call: Call, args: readonly unknown[]): Promise<string | null> {
  try {
    await call(...args);
  } catch (error) {
    if (!(error instanceof NearfieldError)) return String(error);
  }
  return null;
}

test.each(Object.keys(SAMPLES))('%s refuses what it cannot use with an error of the library', async (name) => {
  const call = callOf(name);
  await call(...SAMPLES[name]());
  const isMethod = !name.startsWith('new ') && name.split('.').length === 3 && !name.startsWith('core.');
  const faults: string[] = [];
  for (let at = isMethod ? 1 : 0; at < SAMPLES[name]().length; at++) {
    for (const bad of badValues()) {
      const args = SAMPLES[name]();
      args[at] = bad;
      const found = await fault(call, args);
      if (found !== null) faults.push(`argument ${at} = ${JSON.stringify(bad) ?? String(bad)}: ${found}`);
    }
  }
  expect(faults).toEqual([]);
});

test('every function and class is tested, or it is said why not', () => {
  const missing: string[] = [];
  for (const [chapter, exports] of Object.entries(CHAPTERS)) {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== 'function') continue;
      const full = `${chapter}.${name}`;
      if (!(full in SAMPLES) && !(`new ${full}` in SAMPLES) && !(full in LEFT_OUT)) missing.push(full);
    }
  }
  expect(missing).toEqual([]);
});

test('what people try first gets an error that says what to do', () => {
  const messageOf = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(NearfieldError);
      return (error as NearfieldError).message;
    }
    return 'no error';
  };
  const { findClashes, measureDistance } = proximity;
  const vector = { x: 0, y: 0, z: 0 } as never;
  const box = { min: vector, max: vector };
  const [a, b] = [model(), model()];
  expect(messageOf(() => findClashes(FILE as never))).toContain('call buildAssembly(modelFile) first');
  expect(messageOf(() => a.signedDistance(vector))).toContain('vector.toArray()');
  expect(messageOf(() => field.gridOverBox(box, 8))).toContain('min: box.min.toArray()');
  expect(messageOf(() => mesh.createMesh([[0, 0, 0]] as never))).toContain('array.flat()');
  expect(messageOf(() => measureDistance(a, b, HERE, THERE, null as never))).toContain('The options are null');
  expect(messageOf(() => measureDistance(a, b, HERE, THERE, { cutOff: 1 } as never))).toContain(
    "did you mean 'cutoff'?",
  );
  const misspelled = { relativegap: 1 } as never;
  expect(messageOf(() => penetration.measurePenetrationSync(a, b, HERE, THERE, misspelled))).toContain(
    "'relativeGap'?",
  );
});
