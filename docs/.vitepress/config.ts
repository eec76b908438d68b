// The documentation site: the pages of docs/, the API reference that TypeDoc writes into docs/api, search over both, and
// examples that run in the page. Built by npm run docs.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { liveExamples } from './live-examples.js';

/** Where the site is served from: give NEARFIELD_DOCS_BASE if not from the root. */
const base = process.env.NEARFIELD_DOCS_BASE ?? '/';

/** Pages by part, in reading order; a page of docs/ that is not listed fails the test of the documentation. */
const GUIDES = [
  ['Check the clearance of an assembly', '/guides/clearance'],
  ['Will my mechanism collide?', '/guides/sweep'],
  ['Push two meshes apart', '/guides/push-apart'],
  ['A distance field from a scan', '/guides/field-from-scan'],
  ['Collisions in three.js', '/guides/three'],
  ['Plan a motion that is proven', '/guides/plan'],
  ['Check a MoveIt trajectory', '/guides/check-trajectory'],
  ['Simulate rigid and soft bodies', '/guides/simulate'],
];
const CONCEPTS = [
  ['What an answer promises', '/concepts'],
  ['Conventions', '/conventions'],
  ['Architecture', '/architecture'],
  ['The proof of penetration depth', '/certificate'],
];
const CHAPTERS = {
  Shapes: [
    ['Meshes', '/mesh'],
    ['Files', '/files'],
    ['Solids', '/solid'],
    ['Convex hulls and pairs', '/convex'],
    ['Convex decomposition', '/decomposition'],
  ],
  Questions: [
    ['Proximity', '/proximity'],
    ['Penetration depth', '/penetration'],
    ['Distance fields', '/field'],
    ['Voronoi diagrams', '/voronoi'],
    ['PIVOT', '/pivot'],
    ['Collision culling', '/culling'],
    ['Clearance in motion', '/sweep'],
  ],
  'Motion and growth': [
    ['Motion planning', '/planning'],
    ['Trajectories of others', '/trajectories'],
    ['Dynamics', '/dynamics'],
    ['Elastic bodies', '/elastic'],
    ['Ice growth', '/ice'],
  ],
  Platform: [
    ['three.js and React', '/three'],
    ['Raster', '/raster'],
    ['GPU devices', '/gpu'],
    ['Clusters', '/cluster'],
    ['Packaging', '/packaging'],
  ],
};
const TOOLS = [
  ['The command', '/command'],
  ['The lab', '/lab'],
  ['Benchmarks', '/benchmarks'],
];

const group = (text: string, pages: readonly string[][], collapsed = false) => ({
  text,
  collapsed,
  items: pages.map(([title, link]) => ({ text: title, link })),
});

export default defineConfig({
  title: 'nearfield',
  description: 'Every proximity question about shapes, each answer with its error.',
  base,
  cleanUrls: false,
  lastUpdated: false,
  // Records of benchmarks are data of the repository, not pages.
  ignoreDeadLinks: [/bench\/results\//, /examples\//],
  head: [['link', { rel: 'icon', href: `${base}mark.svg`, type: 'image/svg+xml' }]],
  markdown: { config: liveExamples, languageAlias: { cjs: 'js' } },
  vite: { publicDir: '../lab/public', build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/clearance' },
      { text: 'Chapters', link: '/proximity' },
      { text: 'API', link: '/api/' },
      { text: 'Command', link: '/command' },
      { text: 'Lab', link: '/lab/index.html', target: '_blank' },
    ],
    sidebar: {
      '/api/': [{ text: 'API reference', link: '/api/' }, ...apiPages()],
      '/': [
        group('Guides', GUIDES),
        group('Concepts', CONCEPTS),
        ...Object.entries(CHAPTERS).map(([text, pages]) => group(text, pages)),
        group('Tools', TOOLS),
        { text: 'API reference', link: '/api/' },
        { text: 'Changelog', link: '/changelog' },
      ],
    },
  },
});

/** One page a chapter, as TypeDoc writes them. */
function apiPages(): { text: string; link: string }[] {
  const { entryPoints } = JSON.parse(readFileSync(new URL('../../typedoc.json', import.meta.url), 'utf8'));
  const chapters = (entryPoints as string[]).map((file) => file.split('/')[1]).sort();
  return chapters.map((name) => ({ text: `nearfield/${name}`, link: `/api/${name === 'core' ? 'core/' : name}` }));
}
