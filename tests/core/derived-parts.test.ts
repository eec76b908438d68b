import { expect, test } from 'vitest';
import { bytesOf, DerivedParts, type Part } from '../../src/core/derived-parts.js';

interface Owner {
  readonly size: number;
}

const ARRAY: Part<Owner, Float64Array> = { name: 'array', make: ({ size }) => new Float64Array(size) };

test('a part is made once, when first asked for', () => {
  let made = 0;
  const part: Part<Owner, object> = { name: 'object', make: () => ({ made: ++made }) };
  const parts = new DerivedParts<Owner>({ size: 1 });
  expect(parts.peek(part)).toBe(undefined);
  expect(parts.get(part)).toBe(parts.get(part));
  expect(parts.peek(part)).toBe(parts.get(part));
  expect(made).toBe(1);
  parts.free(part);
  expect(parts.get(part)).toEqual({ made: 2 });
});

test('owners do not share parts', () => {
  const [one, two] = [new DerivedParts<Owner>({ size: 1 }), new DerivedParts<Owner>({ size: 2 })];
  expect(one.get(ARRAY)).toHaveLength(1);
  expect(two.get(ARRAY)).toHaveLength(2);
});

test('a part whose making fails is not kept, and is tried again', () => {
  let tries = 0;
  const part: Part<Owner, number> = {
    name: 'fails first',
    make: () => {
      if (tries++ === 0) throw new Error('no');
      return tries;
    },
  };
  const parts = new DerivedParts<Owner>({ size: 1 });
  expect(() => parts.get(part)).toThrow('no');
  expect(parts.peek(part)).toBe(undefined);
  expect(parts.get(part)).toBe(2);
});

test('memory counts what parts share for the first of them', () => {
  const parts = new DerivedParts<Owner>({ size: 10 });
  const view: Part<Owner, object> = {
    name: 'view',
    make: () => ({ shared: parts.get(ARRAY).subarray(2), own: [new Uint8Array(5), { more: new Int32Array(2) }] }),
  };
  parts.get(view);
  expect(parts.memory()).toEqual([
    { name: 'array', bytes: 80 },
    { name: 'view', bytes: 13 },
  ]);
  expect(parts.bytes).toBe(93);
  const fixed: Part<Owner, object> = { name: 'fixed', make: () => ({}), bytes: () => 7 };
  parts.get(fixed);
  expect(parts.bytes).toBe(100);
});

test('objects of a class tell their bytes themselves', () => {
  class Sized {
    readonly bytes = 12;
    readonly hidden = new Float64Array(100);
  }
  class Other {
    readonly hidden = new Float64Array(100);
  }
  const cycle: { self?: object; array: Uint8Array } = { array: new Uint8Array(3) };
  cycle.self = cycle;
  expect(bytesOf({ sized: new Sized(), other: new Other(), cycle, text: 'abc', nothing: null })).toBe(15);
});

test('freeing gives back what a part says it must', () => {
  const freed: string[] = [];
  const part = (name: string): Part<Owner, string> => ({ name, make: () => name, free: (value) => freed.push(value) });
  const [one, two] = [part('one'), part('two')];
  const parts = new DerivedParts<Owner>({ size: 1 });
  parts.get(one);
  parts.get(two);
  parts.free(one);
  parts.free(one);
  expect(freed).toEqual(['one']);
  parts.freeAll();
  expect(freed).toEqual(['one', 'two']);
  expect(parts.memory()).toEqual([]);
});
