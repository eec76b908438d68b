// The hook in a real root of react-three-fiber, with a renderer that draws nothing.
import { act, advance, createRoot, extend } from '@react-three/fiber';
import { Component, createElement, type ReactNode, type RefObject } from 'react';
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, PlaneGeometry, SphereGeometry } from 'three';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ProximityQuery, type UseProximityOptions, useProximity } from '../../src/react/index.js';

extend({ Group });

type Root = ReturnType<typeof createRoot>;
let root: Root;
let time = 0;

beforeEach(async () => {
  // React reports what a boundary caught, and react-three-fiber's clock is deprecated.
  for (const name of ['error', 'warn'] as const) vi.spyOn(console, name).mockImplementation(() => {});
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  const nothing = (): void => {};
  const renderer = { render: nothing, setPixelRatio: nothing, setSize: nothing, dispose: nothing, shadowMap: {} };
  const canvas = { width: 8, height: 8, style: {}, addEventListener: nothing, removeEventListener: nothing };
  root = createRoot(canvas as never);
  await root.configure({
    gl: () => renderer as never,
    frameloop: 'never',
    size: { width: 8, height: 8, top: 0, left: 0 },
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.restoreAllMocks();
});

/** Draws one frame. */
async function frame(): Promise<void> {
  await act(async () => advance((time += 16)));
}

class Boundary extends Component<{ children: ReactNode; caught: (error: unknown) => void }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.caught(error);
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** Two refs, options, and what was seen. */
class Case<Query extends ProximityQuery = 'distance'> {
  readonly a: { current: Mesh | Group | null } = { current: null };
  readonly b: { current: Mesh | Group | null } = { current: null };
  renders = 0;
  result: RefObject<unknown> = { current: null };
  readonly errors: unknown[] = [];

  constructor(readonly options: UseProximityOptions<Query>) {}

  async show(): Promise<void> {
    const caught = (error: unknown): void => void this.errors.push(error);
    const probe = createElement(Probe, { shown: this as unknown as Case });
    await act(async () => root.render(createElement(Boundary, { caught } as never, probe)));
  }
}

/** Uses the hook between the refs of a case. */
function Probe({ shown }: { shown: Case }): ReactNode {
  shown.renders++;
  shown.result = useProximity(shown.a, shown.b, shown.options);
  return null;
}

const box = (): Mesh => new Mesh(new BoxGeometry(), new MeshBasicMaterial());

test('results follow the objects in each frame without a render of React', async () => {
  const received: (number | null)[] = [];
  const probe = new Case({ onResult: (result) => received.push(result.distance) });
  await probe.show();
  await frame();
  expect(probe.result.current).toBe(null);
  probe.a.current = box();
  probe.b.current = box();
  for (const x of [3, 4, 1]) {
    probe.b.current.position.x = x;
    await frame();
    expect(probe.result.current).toMatchObject({ distance: x - 1 });
  }
  expect(received).toEqual([2, 3, 0]);
  expect(probe.renders).toBe(1);
});

test('renders on request, only when the answer changes', async () => {
  const probe = new Case({ query: 'intersects', rerender: true });
  probe.a.current = box();
  probe.b.current = box();
  await probe.show();
  for (const x of [3, 4, 5, 0.5, 0.6, 3]) {
    probe.b.current.position.x = x;
    await frame();
  }
  // The first answer, the overlap, and apart again.
  expect(probe.renders).toBe(4);
  const limit = new Case({
    rerender: (result, previous) => result.distance! > 2 !== (previous?.distance ?? 0) > 2,
  });
  limit.a.current = box();
  limit.b.current = box();
  await limit.show();
  for (const x of [2, 2.5, 3.5, 4, 2]) {
    limit.b.current.position.x = x;
    await frame();
  }
  expect(limit.renders).toBe(3);
});

test('waits for content, follows other objects, and pauses', async () => {
  const options = { query: 'within' as const, tolerance: 0.5, enabled: true };
  const probe = new Case(options);
  const group = new Group();
  probe.a.current = group;
  probe.b.current = box();
  await probe.show();
  await frame();
  expect(probe.result.current).toBe(null);
  group.add(box());
  await frame();
  expect(probe.result.current).toMatchObject({ within: true });
  group.clear();
  await frame();
  expect(probe.result.current).toBe(null);
  group.add(box());
  const other = new Mesh(new SphereGeometry(0.5, 8, 6), new MeshBasicMaterial());
  other.position.x = 9;
  probe.b.current = other;
  await frame();
  expect(probe.result.current).toMatchObject({ within: false });
  options.enabled = false;
  other.position.x = 0;
  await frame();
  expect(probe.result.current).toMatchObject({ within: false });
});

test.each([
  ['contacts', { tolerance: 1 }, { intersects: false }],
  ['penetration', {}, { intersects: false, depth: 0 }],
] as const)('asks %s', async (query, options, expected) => {
  const probe = new Case({ query, ...options });
  probe.a.current = box();
  probe.b.current = box();
  probe.b.current.position.set(1.5, 0, 0);
  await probe.show();
  await frame();
  expect(probe.result.current).toMatchObject(expected);
});

test.each([
  ['a missing tolerance', 'contacts', () => box()],
  ['a depth of an open surface', 'penetration', () => new Mesh(new PlaneGeometry(), new MeshBasicMaterial())],
] as const)('errors reach the error boundary: %s', async (_, query, make) => {
  const probe = new Case({ query });
  probe.a.current = make();
  probe.b.current = box();
  await probe.show();
  await frame();
  expect(probe.errors).toMatchObject([{ name: 'NearfieldError' }]);
});
