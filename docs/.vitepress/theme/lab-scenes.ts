// Scenes of the lab above a chapter's page: pictures first, and the scene itself, live, when one is chosen.
import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref, watch } from 'vue';

/** The scenes of each page: the address in the lab and a title. */
const SCENES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'mesh.md': [
    ['meshes/inspect', 'Inspect a file'],
    ['meshes/models', 'Models'],
  ],
  'convex.md': [['convex/hull', 'Convex hull']],
  'decomposition.md': [
    ['decomposition/few-pieces', 'Few convex pieces'],
    ['decomposition/fracture', 'Breaking'],
  ],
  'proximity.md': [
    ['proximity/scenarios', 'Moving pairs'],
    ['proximity/clash', 'Clashes of an assembly'],
  ],
  'penetration.md': [
    ['penetration/depth', 'Penetration depth'],
    ['penetration/untangling', 'Untangling letters'],
  ],
  'certificate.md': [['penetration/certificate', 'A certificate closing']],
  'field.md': [
    ['fields/explorer', 'Distance fields'],
    ['fields/arrival-times', 'Arrival times'],
  ],
  'solid.md': [
    ['fields/solidify', 'Solids from broken meshes'],
    ['fields/offset', 'Grown and hollowed'],
  ],
  'voronoi.md': [
    ['voronoi/painter', 'Voronoi painter'],
    ['voronoi/floor-plan', 'Floor plan'],
  ],
  'pivot.md': [
    ['pivot/plane', 'PIVOT in the plane'],
    ['pivot/organs', 'Organs that breathe'],
  ],
  'culling.md': [['culling/environments', 'Many deforming objects']],
  'dynamics.md': [
    ['dynamics/space', 'Rigid bodies'],
    ['dynamics/plane', 'Bodies in the plane'],
  ],
  'elastic.md': [['elastic/bodies', 'Elastic bodies']],
  'planning.md': [
    ['planning/paths', 'Paths'],
    ['planning/live', 'Furniture that moves'],
  ],
  'ice.md': [
    ['ice/growth', 'Ice growth'],
    ['ice/on-model', 'Frost on a model'],
  ],
};

export default defineComponent({
  setup() {
    const { page, isDark } = useData();
    const open = ref<string | null>(null);
    watch(
      () => page.value.relativePath,
      () => (open.value = null),
    );
    return () => {
      const scenes = SCENES[page.value.relativePath] ?? [];
      if (scenes.length === 0) return null;
      const cards = scenes.map(([path, title]) =>
        h(
          'button',
          { type: 'button', class: 'lab-card', 'aria-pressed': open.value === path, onClick: () => choose(path) },
          [
            h('img', {
              src: withBase(`/lab/pictures/${path}.webp`),
              alt: '',
              width: 320,
              height: 200,
              loading: 'lazy',
            }),
            h('span', title),
          ],
        ),
      );
      const theme = isDark.value ? 'dark' : 'light';
      const frame =
        open.value === null
          ? null
          : h('iframe', {
              class: 'lab-frame',
              title: 'The scene in the lab',
              src: withBase(`/lab/index.html?embed=${theme}#/${open.value}`),
            });
      return h('aside', { class: 'lab-scenes', 'aria-label': 'Live scenes' }, [
        h('div', { class: 'lab-cards' }, cards),
        frame,
      ]);
    };

    function choose(path: string): void {
      open.value = open.value === path ? null : path;
    }
  },
});
