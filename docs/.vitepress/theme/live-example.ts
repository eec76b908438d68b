// An example with a button that runs it, in a worker of its own: the page never waits, and a run can be stopped.
import { withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

/** What the worker runs before the example: values as text, with the line they come from. */
const PRELUDE = `
const text = (value, depth = 0) => {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
  if (typeof value === 'number') return String(Math.abs(value) < 1e-15 ? 0 : +value.toPrecision(10));
  if (value === null || typeof value !== 'object') return String(value);
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const shown = Array.from(value.length === undefined ? [] : value.slice(0, 12), (entry) => text(entry, depth + 1));
    const more = value.length > 12 ? ', … ' + value.length + ' in all' : '';
    return '[' + shown.join(', ') + more + ']';
  }
  if (depth > 2) return '{…}';
  const entries = Object.entries(value).slice(0, 16);
  return '{ ' + entries.map(([key, entry]) => key + ': ' + text(entry, depth + 1)).join(', ') + ' }';
};
const say = (line, values) => postMessage({ line, text: values.map((value) => text(value)).join(' ') });
const show = (line, value) => { if (value !== undefined && typeof value !== 'function') say(line, [value]); return value; };
console.log = (...values) => say(0, values);
`;

interface Line {
  readonly line: number;
  readonly text: string;
}

export default defineComponent({
  props: { code: { type: String, required: true } },
  setup(props, { slots }) {
    const lines = ref<Line[] | null>(null);
    const running = ref(false);
    let worker: Worker | null = null;

    function stop(): void {
      worker?.terminate();
      worker = null;
      running.value = false;
    }

    function run(): void {
      stop();
      lines.value = [];
      running.value = true;
      const library = new URL(withBase('/live/'), location.href).href;
      const code = decodeURIComponent(props.code).replace(
        /(from\s+['"])nearfield\/(\w+)(['"])/g,
        `$1${library}$2.js$3`,
      );
      const [imports, body] = splitImports(code);
      const source = `${imports}\n${PRELUDE}\ntry {\n${body}\n} catch (error) { say(-1, [error.message]); }\npostMessage(null);`;
      const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      worker = new Worker(url, { type: 'module' });
      const end = (): void => {
        URL.revokeObjectURL(url);
        stop();
      };
      worker.onmessage = ({ data }: MessageEvent<Line | null>) => {
        if (data === null) end();
        else lines.value = [...(lines.value ?? []), data];
      };
      worker.onerror = ({ message }) => {
        lines.value = [...(lines.value ?? []), { line: -1, text: message || 'The example could not be loaded.' }];
        end();
      };
    }

    return () =>
      h('div', { class: 'live-example' }, [
        slots.default?.(),
        h('div', { class: 'live-bar' }, [
          h('button', { type: 'button', onClick: running.value ? stop : run }, running.value ? 'Stop' : 'Run'),
          running.value ? h('span', { role: 'status' }, 'running …') : null,
        ]),
        lines.value === null || (lines.value.length === 0 && running.value)
          ? null
          : h(
              'pre',
              { class: 'live-output', 'aria-live': 'polite' },
              lines.value.length === 0 ? 'It ran, and has nothing to show.' : lines.value.map(row),
            ),
      ]);
  },
});

function row({ line, text }: Line) {
  const label = line > 0 ? `line ${line}  ` : '';
  return h('div', { class: line < 0 ? 'live-error' : '' }, [h('span', { class: 'live-line' }, label), text]);
}

/** Imports come first in a module; the rest goes into a block that catches errors. */
function splitImports(code: string): [string, string] {
  const imports: string[] = [];
  const body = code.replace(/^import\b[\s\S]*?from\s+['"][^'"]+['"];?$/gm, (found) => {
    imports.push(found);
    return '';
  });
  return [imports.join('\n'), body];
}
