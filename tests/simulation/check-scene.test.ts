// Scene files that are wrong are refused in one sentence that says where and what to do; right ones get their defaults.
import { describe, expect, test } from 'vitest';
import { checkScene } from '../../src/simulation/check-scene.js';

const box = { shape: { box: [1, 1, 1] } };
const disc = { shape: { circle: 1 } };
const pin = { type: 'pin', body: 0, at: [0, 0, 0], axis: [0, 0, 1] };

describe('a scene', () => {
  test('has the defaults of the contract', () => {
    const { bodies, ...rest } = checkScene('{"bodies":[{"shape":{"sphere":0.5}}]}');
    expect(rest).toEqual({
      dimension: 3,
      gravity: [0, -9.81, 0],
      timestep: 1 / 60,
      method: 'auto',
      timeOfContact: 'certified',
      analysis: 'dynamic',
      start: 'rest',
      seed: 1,
      solver: { integrator: 'auto', mode: 'converged', iterations: 8, substeps: null, contact: 'field' },
      joints: [],
      probes: [],
      substeps: null,
      stiffness: null,
      forces: [],
      surfaces: [],
    });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      name: '',
      pose: [0, 0, 0, 0, 0, 0, 1],
      density: null,
      mass: null,
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 0],
      friction: 0.5,
      restitution: 0,
      fixed: false,
      path: null,
      elastic: null,
      holds: [],
      loads: [],
    });
  });

  test('has them in the plane', () => {
    const { gravity, bodies } = checkScene({ dimension: 2, bodies: [disc] });
    expect(gravity).toEqual([0, -9.81]);
    expect(bodies[0]).toMatchObject({ pose: [0, 0, 0], velocity: [0, 0], angularVelocity: [0] });
  });

  test('in the plane takes gravity with a third number of 0, too', () => {
    expect(checkScene({ dimension: 2, gravity: [1, 2, 0], bodies: [] }).gravity).toEqual([1, 2]);
  });

  test('normalizes quaternions', () => {
    expect(checkScene({ bodies: [{ ...box, pose: [1, 2, 3, 0, 0, 3, 4] }] }).bodies[0].pose).toEqual([
      1, 2, 3, 0, 0, 0.6, 0.8,
    ]);
  });

  test('finds bodies by index and by name', () => {
    const bodies = [{ ...box, name: 'one' }, { ...box, name: 'two' }, box];
    const { joints, probes } = checkScene({
      bodies,
      joints: [{ ...pin, body: 'two', other: 2 }],
      probes: [{ body: 'one', point: [0, 0, 0] }],
    });
    expect(joints[0]).toMatchObject({ body: 1, other: 2 });
    expect(probes[0].body).toBe(0);
  });

  test('may use a name several times, but not to refer to a body', () => {
    const bodies = [
      { ...box, name: 'same' },
      { ...box, name: 'same' },
    ];
    expect(checkScene({ bodies }).bodies).toHaveLength(2);
    expect(() => checkScene({ bodies, joints: [{ ...pin, body: 'same' }] })).toThrow(
      'joints[0].body is "same", the name of bodies[0] and bodies[1]; give the index.',
    );
  });

  test('may have a pose beside a path, which wins', () => {
    const path = [{ time: 0, pose: [5, 0, 0, 0, 0, 0, 1] }];
    expect(checkScene({ bodies: [{ ...box, pose: [1, 0, 0, 0, 0, 0, 1], path }] }).bodies[0].pose[0]).toBe(5);
  });
});

const elastic = (changes: object, made: object = { young: 1e6 }) => body({ ...changes, elastic: made });
const body = (changes: object, shape: object = box.shape) => ({ bodies: [box, box, box, { shape, ...changes }] });

describe('what is wrong is refused, with its place:', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"bodies":[', 'The scene is not valid JSON'],
    ['NaN in the text', '{"bodies":[{"shape":{"sphere":NaN}}]}', 'The scene is not valid JSON'],
    ['a list', [], 'The scene is a list of 0; give an object with dimension'],
    ['no bodies', {}, 'The scene has no "bodies"; add it.'],
    ['bodies that are no list', { bodies: {} }, 'bodies is an object; give a list of bodies.'],
    ['an unknown key', { bodies: [], bodys: [] }, 'The scene has the unknown key "bodys"; the keys are dimension,'],
    ['an unknown key of a body', body({ colour: 1 }), 'bodies[3] has the unknown key "colour"; the keys are name,'],
    ['four dimensions', { dimension: 4, bodies: [] }, 'dimension is 4; give 3 or 2.'],
    ['gravity of two numbers', { gravity: [0, 1], bodies: [] }, 'gravity is a list of 2; give [x, y, z].'],
    ['a time step of 0', { timestep: 0, bodies: [] }, 'timestep is 0; give a finite number above 0'],
    ['a negative time step', { timestep: -1, bodies: [] }, 'timestep is -1;'],
    ['an unknown method', { method: 'magic', bodies: [] }, 'method is "magic"; give "auto", "penalty",'],
    ['a seed that is no whole number', { seed: 0.5, bodies: [] }, 'seed is 0.5; give a whole number.'],
    ['no shape', { bodies: [{}] }, 'bodies[0] has no "shape"; add it.'],
    [
      'an empty shape',
      body({}, {}),
      'bodies[3].shape has no kind; give one of file, model, box, sphere, plane, tetrahedra.',
    ],
    ['two shapes', body({}, { box: [1, 1, 1], sphere: 1 }), 'bodies[3].shape has box and sphere; give one of'],
    ['a flat box', body({}, { box: [1, 0, 1] }), 'bodies[3].shape.box[1] is 0; give a finite number above 0'],
    [
      'a box of two numbers',
      body({}, { box: [1, 1] }),
      'bodies[3].shape.box is a list of 2; give [width, height, depth].',
    ],
    [
      'a sphere without a radius',
      body({}, { sphere: -1 }),
      'bodies[3].shape.sphere is -1; give a finite number above 0',
    ],
    ['NaN', body({}, { sphere: Number.NaN }), 'bodies[3].shape.sphere is NaN; give a finite number above 0'],
    [
      'a polygon in space',
      body({}, { polygon: [] }),
      'bodies[3].shape is a polygon in a scene of dimension 3; give file,',
    ],
    ['a file without a name', body({}, { file: '' }), 'bodies[3].shape.file is ""; give a text that is not empty.'],
    ['parameters of a box', body({}, { box: [1, 1, 1], parameters: {} }), 'bodies[3].shape.parameters are for models'],
    [
      'a parameter that is a text',
      body({}, { model: 'box', parameters: { width: '1' } }),
      'bodies[3].shape.parameters.width is "1"; give',
    ],
    ['a pose of three numbers', body({ pose: [0, 0, 0] }), 'bodies[3].pose is a list of 3; give seven numbers'],
    [
      'a pose without a turn',
      body({ pose: [0, 0, 0, 0, 0, 0, 0] }),
      'bodies[3].pose: The quaternion of the pose is zero',
    ],
    ['a pose far away', body({ pose: [1e60, 0, 0, 0, 0, 0, 1] }), 'bodies[3].pose[0] is 1e+60; give a finite number'],
    ['NaN in a pose', body({ pose: [0, null, 0, 0, 0, 0, 1] }), 'bodies[3].pose[1] is null; give a finite number'],
    ['a mass of 0', body({ mass: 0 }), 'bodies[3].mass is 0; give a finite number above 0.'],
    ['a negative density', body({ density: -5 }), 'bodies[3].density is -5; give a finite number above 0.'],
    [
      'a mass and a density',
      body({ mass: 1, density: 1 }),
      'bodies[3] has a density and a mass; leave one of them out.',
    ],
    [
      'a negative friction',
      body({ friction: -0.1 }),
      'bodies[3].friction is -0.1; give a finite number of at least 0.',
    ],
    [
      'a restitution above 1',
      body({ restitution: 1.5 }),
      'bodies[3].restitution is 1.5; give a finite number of at least 0 and of at most 1.',
    ],
    ['fixed as a text', body({ fixed: 'yes' }), 'bodies[3].fixed is "yes"; give true or false without quotes.'],
    [
      'fixed on a path',
      body({ fixed: true, path: [{ time: 0, pose: [0, 0, 0, 0, 0, 0, 1] }] }),
      'bodies[3] is fixed and has a path',
    ],
    ['fixed and moving', body({ fixed: true, velocity: [1, 0, 0] }), 'bodies[3] has a velocity although it is fixed'],
    ['an empty path', body({ path: [] }), 'bodies[3].path has no keyframes; give at least one'],
    [
      'a path out of order',
      body({ path: [1, 0].map((time) => ({ time, pose: [0, 0, 0, 0, 0, 0, 1] })) }),
      'bodies[3].path[1].time is 0, not after 1 of the keyframe before; put the keyframes in order.',
    ],
    ['a keyframe without a pose', body({ path: [{ time: 0 }] }), 'bodies[3].path[0] has no "pose"; add it.'],
    [
      'an element without its node',
      body({}, { tetrahedra: { positions: [[0, 0, 0]], elements: [[0, 1, 2, 3]] } }),
      'bodies[3].shape.tetrahedra.elements[0][1] is 1; give a whole number of at least 0 and of at most 0.',
    ],
    ['holds', body({ hold: [] }), 'bodies[3].hold is for elastic bodies'],
    ['loads', body({ loads: [] }), 'bodies[3].loads is for elastic bodies'],
    ['static analysis', { analysis: 'static', bodies: [] }, 'analysis is for elastic bodies'],
    ['a static start', { start: 'static', bodies: [] }, 'start is for elastic bodies'],
    [
      'a joint of a body that is not there',
      { ...body({}), joints: [{ ...pin, body: 4 }] },
      'joints[0].body is 4; give the name of a body or its index from 0 to 3.',
    ],
    [
      'a joint without an axis',
      { ...body({}), joints: [{ type: 'slider', body: 0, at: [0, 0, 0] }] },
      'joints[0] has no "axis"; a slider needs one',
    ],
    [
      'an axis of zero',
      { ...body({}), joints: [{ ...pin, axis: [0, 0, 0] }] },
      'joints[0].axis is zero; give a direction.',
    ],
    [
      'an unknown joint',
      { ...body({}), joints: [{ ...pin, type: 'rope' }] },
      'joints[0].type is "rope"; give "pin", "hinge",',
    ],
    [
      'a joint of a body with itself',
      { ...body({}), joints: [{ ...pin, other: 0 }] },
      'joints[0].other is the same body',
    ],
    [
      'limits the wrong way',
      { ...body({}), joints: [{ ...pin, limits: [1, 0] }] },
      'joints[0].limits are 1 and 0; give the lesser first.',
    ],
    ['a probe without a point', { ...body({}), probes: [{ body: 0 }] }, 'probes[0] has no "point"'],
    ['a probe at a node', { ...body({}), probes: [{ body: 0, node: 3 }] }, 'probes[0].node is for elastic bodies'],
    ['a solver of nothing', { solver: {}, bodies: [] }, 'solver is for elastic bodies'],
    ['an elastic body without a modulus', elastic({}, {}), 'bodies[3].elastic has no "young"; add it.'],
    ['a modulus of 0', elastic({}, { young: 0 }), 'bodies[3].elastic.young is 0; give a finite number above 0'],
    [
      'a ratio of 0.5',
      elastic({}, { young: 1, poisson: 0.5 }),
      'bodies[3].elastic.poisson is 0.5; give a finite number of at least 0 and of at most 0.49.',
    ],
    ['damping of 1', elastic({}, { young: 1, damping: 1 }), 'bodies[3].elastic.damping is 1; give 0 or {"mass"'],
    [
      'negative damping',
      elastic({}, { young: 1, damping: { mass: -1 } }),
      'bodies[3].elastic.damping.mass is -1; give',
    ],
    [
      'damping by volume',
      elastic({}, { young: 1, damping: { volume: 1 } }),
      'bodies[3].elastic.damping has the unknown key "volume"; the keys are mass, stiffness.',
    ],
    [
      'half an element',
      elastic({}, { young: 1, resolution: 0.5 }),
      'bodies[3].elastic.resolution is 0.5; give a whole',
    ],
    [
      'cubic elements',
      elastic({}, { young: 1, element: 'cubic' }),
      'bodies[3].elastic.element is "cubic"; give "linear"',
    ],
    [
      'large strain',
      elastic({}, { young: 1, strain: 'large' }),
      'bodies[3].elastic.strain is "large"; give "nonlinear"',
    ],
    ['rubber', elastic({}, { young: 1, material: 'rubber' }), 'bodies[3].elastic.material is "rubber"; give'],
    [
      'linear strain of another material',
      elastic({}, { young: 1, strain: 'linear', material: 'corotational' }),
      'bodies[3].elastic.strain is "linear" and the material "corotational"; leave one of them out.',
    ],
    ['an unknown elastic key', elastic({}, { young: 1, yield: 2 }), 'bodies[3].elastic has the unknown key "yield"'],
    [
      'self-collision as a number',
      elastic({}, { young: 1, selfCollision: 1 }),
      'bodies[3].elastic.selfCollision is 1; give true or false',
    ],
    ['an elastic body that is fixed', elastic({ fixed: true }), 'bodies[3].fixed is for rigid bodies; hold nodes'],
    [
      'an elastic body on a path',
      elastic({ path: [{ time: 0, pose: [0, 0, 0, 0, 0, 0, 1] }] }),
      'bodies[3].path is for rigid bodies; hold nodes',
    ],
    [
      'elastic in the plane',
      { dimension: 2, bodies: [{ ...disc, elastic: { young: 1 } }] },
      'bodies[0].elastic is for',
    ],
    ['holds that are no list', elastic({ hold: {} }), 'bodies[3].hold is an object; give a list of holds.'],
    ['a hold of nothing', elastic({ hold: [{}] }), 'bodies[3].hold[0] has no "box"; give one of "box" and "nodes".'],
    [
      'a hold of a box and of nodes',
      elastic({ hold: [{ box: [0, 0, 0, 1, 1, 1], nodes: [0] }] }),
      'bodies[3].hold[0] has "box" and "nodes"; give one',
    ],
    [
      'a box of three numbers',
      elastic({ hold: [{ box: [0, 0, 0] }] }),
      'bodies[3].hold[0].box is a list of 3; give six',
    ],
    [
      'a box turned around',
      elastic({ hold: [{ box: [0, 0, 0, 1, -1, 1] }] }),
      'bodies[3].hold[0].box runs from 0 to -1; give the lesser corner first.',
    ],
    ['no nodes', elastic({ hold: [{ nodes: [] }] }), 'bodies[3].hold[0].nodes is empty; give at least one node.'],
    ['node −1', elastic({ hold: [{ nodes: [-1] }] }), 'bodies[3].hold[0].nodes[0] is -1; give a whole number'],
    [
      'two positions of a node',
      elastic({
        hold: [
          {
            nodes: [1],
            positions: [
              [0, 0, 0],
              [1, 1, 1],
            ],
          },
        ],
      }),
      'bodies[3].hold[0].positions is a list of 2 for 1 nodes; give one for each.',
    ],
    [
      'keyframes out of order',
      elastic({ hold: [{ nodes: [1], keyframes: [1, 0].map((time) => ({ time, offset: [0, 0, 0] })) }] }),
      'bodies[3].hold[0].keyframes[1].time is 0, not after 1',
    ],
    [
      'a keyframe with a pose',
      elastic({ hold: [{ nodes: [1], keyframes: [{ time: 0, pose: [] }] }] }),
      'bodies[3].hold[0].keyframes[0] has the unknown key "pose"; the keys are time, offset.',
    ],
    ['a load without a force', elastic({ loads: [{ nodes: [0] }] }), 'bodies[3].loads[0] has no "force"; add it.'],
    [
      'a force that is a number',
      elastic({ loads: [{ nodes: [0], force: 3 }] }),
      'bodies[3].loads[0].force is 3; give [x, y, z].',
    ],
    [
      'an end that is a text',
      elastic({ loads: [{ nodes: [0], force: [0, 0, 0], until: 'never' }] }),
      'bodies[3].loads[0].until is "never"; give a finite number',
    ],
    [
      'a joint of an elastic body',
      { ...elastic({}), joints: [{ ...pin, body: 3 }] },
      'joints[0].body is an elastic body; joints are for rigid ones',
    ],
    [
      'a probe of a point and a node',
      { ...elastic({}), probes: [{ body: 3, point: [0, 0, 0], node: 1 }] },
      'probes[0] has a point and a node; leave one of them out.',
    ],
    [
      'an unknown integrator',
      { ...elastic({}), solver: { integrator: 'rk4' } },
      'solver.integrator is "rk4"; give "auto"',
    ],
    [
      'no substeps',
      { ...elastic({}), solver: { substeps: 0 } },
      'solver.substeps is 0; give a whole number of at least 1',
    ],
    ['an unknown contact', { ...elastic({}), solver: { contact: 'glue' } }, 'solver.contact is "glue"; give "field"'],
    ['an unknown mode', { ...elastic({}), solver: { mode: 'fast' } }, 'solver.mode is "fast"; give "converged"'],
    [
      'a box in the plane',
      { dimension: 2, bodies: [box] },
      'bodies[0].shape is a box in a scene of dimension 2; give polygon, circle, or set "dimension" to 3.',
    ],
    [
      'a polygon of two points',
      {
        dimension: 2,
        bodies: [
          {
            shape: {
              polygon: [
                [0, 0],
                [1, 0],
              ],
            },
          },
        ],
      },
      'bodies[0].shape.polygon has 2 points; give at least three.',
    ],
    [
      'a turning of three numbers in the plane',
      { dimension: 2, bodies: [{ ...disc, angularVelocity: [0, 0, 1] }] },
      'bodies[0].angularVelocity is a list of 3; give a finite number',
    ],
  ])('%s', (_, scene, words) => {
    let message = '';
    try {
      checkScene(scene);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(words);
    expect(message).not.toContain('\n');
  });
});
