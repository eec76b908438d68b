// Makes the emitted declarations readable for TypeScript from 5.4 on, with or without the DOM's types: typed arrays lose
// their argument, which 5.6 and older do not know, and types of the DOM are looked up, so that they may be missing.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TYPED_ARRAY = /\b((?:Float|Int|Uint|BigInt|BigUint)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g;
/** Classes of the DOM that declarations name. */
const CLASSES =
  /(?<![\w.'"])(GPU(?:Device|Buffer|Texture|TextureView|RenderPipeline|ComputePipeline|BindGroupLayout|BindGroup|CommandEncoder|QuerySet|ShaderModule|Sampler)|Event)\b(?!['"])/g;
/** Types of the DOM without a value, which cannot be looked up. */
const PLAIN = { GPUFeatureName: 'string', GPUComputePassTimestampWrites: 'object' };
const LOOK_UP = `/** A class of the DOM by its name; \`any\` where its types are not loaded. */
export type DomType<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : any;
`;

/** Removes the declarations of a folder that no entry reaches. Entries are paths within the folder. */
export function keepReachable(folder, entries) {
  const reached = new Set(entries);
  for (const name of reached) {
    for (const [, target] of readFileSync(join(folder, name), 'utf8').matchAll(
      /(?:\bfrom |\bimport\()'(\.[^']+)\.js'/g,
    )) {
      reached.add(join(dirname(name), `${target}.d.ts`));
    }
  }
  for (const name of declarationsIn(folder)) if (!reached.has(name)) rmSync(join(folder, name));
}

/** Copies all declarations of a folder into one whose package.json makes them declarations of CommonJS. */
export function copyDeclarations(from, to) {
  for (const name of declarationsIn(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), readFileSync(join(from, name)));
  }
  writeFileSync(join(to, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Rewrites all declarations below a folder. */
export function rewriteDeclarations(folder) {
  writeFileSync(join(folder, 'dom-type.d.ts'), LOOK_UP);
  for (const name of declarationsIn(folder)) {
    if (name === 'dom-type.d.ts') continue;
    const path = join(folder, name);
    const before = readFileSync(path, 'utf8');
    const after = rewrite(before, relative(dirname(path), join(folder, 'dom-type.js')));
    if (after !== before) writeFileSync(path, after);
  }
}

function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
}

function rewrite(text, lookUp) {
  let uses = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return line;
    let out = line.replace(TYPED_ARRAY, '$1');
    for (const [name, plain] of Object.entries(PLAIN)) out = out.replace(new RegExp(`\\b${name}\\b`, 'g'), plain);
    return out.replace(CLASSES, (name) => {
      uses = true;
      return `DomType<'${name}'>`;
    });
  });
  const from = lookUp.startsWith('.') ? lookUp : `./${lookUp}`;
  return (uses ? `import type { DomType } from '${from}';\n` : '') + lines.join('\n');
}
