// Compares every .wgsl shader in src with the byte offsets and bindings that TypeScript uses.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { requestExpectedDevice } from './expected-device.js';
import { layoutModule } from './layout-module.js';
import { generatedLayouts, shaderLayouts, shaderPreludes } from './shader-layouts.js';
import { reflectShader } from './wgsl-layout.js';

const source = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src');
const shaders = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.wgsl'))
  .map((path) => path.replaceAll('\\', '/'))
  .sort();
const codeOf = (path: string) => readFileSync(join(source, path), 'utf8');

describe('reflection', () => {
  test('lays structs out as the WGSL specification does', () => {
    // The example of the section "Structure Layout Rules", bound so that it counts.
    const { structs } = reflectShader(`
      struct A { u: f32, v: f32, w: vec2<f32>, x: f32 }
      struct B { a: vec2f, b: vec3<f32>, c: f32, d: f32, e: A, f: vec3f, g: array<A, 3>, h: i32, }
      @group(0) @binding(0) var<storage> b: B;`);
    expect(structs.A).toEqual({ size: 24, offsets: { u: 0, v: 4, w: 8, x: 16 } });
    expect(structs.B).toEqual({ size: 160, offsets: { a: 0, b: 16, c: 28, d: 32, e: 40, f: 64, g: 80, h: 152 } });
  });

  test('follows attributes, constants, matrices, atomics and arrays without end', () => {
    const { structs, bindings, workgroups } = reflectShader(`
      const N: u32 = 4u; // const N = 9;
      struct Inner { m: mat3x3f, @size(16) s: atomic<u32>, t: u32 }
      struct Outer { @align(32) x: u32, inner: array<Inner, N>, y: u32, rest: array<vec3u>, }
      struct Varying { @builtin(position) p: vec4f }
      @binding(2) @group(1) var<storage, read_write> outer: Outer;
      @group(0) @binding(N) var picture: texture_2d<f32>;
      @compute @workgroup_size(8, N) fn run() {}`);
    expect(structs).toEqual({
      Inner: { size: 80, offsets: { m: 0, s: 48, t: 64 } },
      Outer: { size: 352, offsets: { x: 0, inner: 16, y: 336, rest: 352 } },
    });
    expect(bindings).toEqual({ outer: { group: 1, binding: 2 }, picture: { group: 0, binding: 4 } });
    expect(workgroups).toEqual({ run: [8, 4, 1] });
  });

  test('says so where it cannot read a type', () => {
    expect(() => reflectShader('@group(0) @binding(0) var<uniform> x: vec5f;')).toThrow('vec5f');
  });
});

describe('shaders', () => {
  test('each has a layout, and each layout a shader', () => {
    expect(shaders.length).toBeGreaterThan(0);
    expect(Object.keys(shaderLayouts).sort()).toEqual(shaders);
  });

  test.each(shaders)('%s has the layout that TypeScript writes', (path) => {
    expect(reflectShader(codeOf(path))).toEqual(shaderLayouts[path]);
  });

  test.each(Object.entries(generatedLayouts))('%s has a module with its layout', async (path, name) => {
    const module = join(source, path.replace(/\.wgsl$/, '-layout.ts'));
    await expect(layoutModule(path, name, reflectShader(codeOf(path)))).toMatchFileSnapshot(module);
  });

  test('the comparison notices a member out of place', () => {
    const code = codeOf('raster/gpu/reduce-images.wgsl');
    const moved = code.replace('  height: u32,', '  height: u32,\n  more: u32,');
    expect(moved).not.toBe(code);
    expect(reflectShader(moved)).not.toEqual(shaderLayouts['raster/gpu/reduce-images.wgsl']);
  });

  test('each compiles without a message', async () => {
    const { device } = await requestExpectedDevice();
    for (const path of shaders) {
      const code = [shaderPreludes[path] ?? [], path].flat().map(codeOf).join('');
      const info = await device.createShaderModule({ code }).getCompilationInfo();
      expect(info.messages.map(({ message, lineNum }) => `${path}:${lineNum}: ${message}`)).toEqual([]);
    }
    device.destroy();
  });
});
