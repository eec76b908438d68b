// The TypeScript module with the layout of a shader, as biome formats it.
import type { ShaderLayout } from '../../src/gpu/shader-layout.js';

/** @param path of the shader below src; @param name of the constant. */
export function layoutModule(path: string, name: string, layout: ShaderLayout): string {
  const folders = path.split('/').slice(0, -1);
  const file = path.split('/').at(-1);
  return (
    `// The layout of ${file}, written by \`npx vitest run tests/gpu/shader-layout.test.ts -u\`: do not edit.\n` +
    `import type { ShaderLayout } from '${'../'.repeat(folders.length)}gpu/shader-layout.js';\n\n` +
    `export const ${name} = ${literal(layout, '')} as const satisfies ShaderLayout;\n`
  );
}

function literal(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = entries.map(([key, member]) => `${inner}${key}: ${literal(member, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}
