// The script of a worker as one text, so that tests run it in real threads.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export async function bundleWorkerScript(): Promise<string> {
  const entry = fileURLToPath(new URL('../../../src/cli/batch-worker.ts', import.meta.url));
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['cjs'], fileName: 'worker' },
      rolldownOptions: { external: [/^node:/] },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: { type: string; code?: string }[] }[];
  return outputs[0].output.find(({ type }) => type === 'chunk')!.code!;
}
