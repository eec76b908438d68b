// Archives of the BIM Collaboration Format: written in both versions and read back, and files as other programs write them.
import { describe, expect, test } from 'vitest';
import { readBcf } from '../../../src/io/bcf/read-bcf.js';
import { type BcfFile, type BcfTopic, writeBcf } from '../../../src/io/bcf/write-bcf.js';
import { writeZip } from '../../../src/io/zip/write-zip.js';
import { readZip } from '../../cli/read-zip.js';
import { childrenOf, parseXml } from '../../cli/xml-node.js';
import { laterCodeOf } from '../../error-code.js';

const GUID = '793a5f9f-788e-46e4-b484-9c44d3061577';
const topic: BcfTopic = {
  guid: GUID,
  title: 'pipe <1> & wall',
  description: 'They overlap.',
  type: 'Clash',
  priority: 'High',
  labels: ['penetrating', 'level 2'],
  status: 'Reopened',
  assignedTo: 'ann@example.org',
  comments: [
    {
      guid: 'dd6119c6-745b-4575-974d-e0ae54953e0d',
      date: '2026-02-17T09:15:35Z',
      author: 'bob@example.org',
      text: 'Moved & "done"?',
    },
  ],
  viewpoint: {
    eye: [1, 2, 3],
    direction: [0, 0, -1],
    up: [0, 1, 0],
    height: 2,
    selection: [{ name: 'pipe', ifcGuid: '2SugUv4EX5LAhcVpDp2dUH' }, { name: 'wall' }],
    lines: [[0, 0, 0, 1, 1, 1]],
    sections: [{ point: [1, 2, 0], direction: [0, 0, 1] }],
  },
  snapshot: Uint8Array.of(1, 2, 3),
};
const file = (version: '2.1' | '3.0'): BcfFile => ({
  ...{
    version,
    project: 'plant',
    files: ['plant.ifc'],
    author: 'nearfield',
    date: '2026-01-01T00:00:00Z',
    up: 'z',
    unit: 0.001,
  },
  topics: [
    topic,
    { ...topic, guid: '1b66b5cb-18b4-4edd-a700-d02c3a673710', viewpoint: null, snapshot: null, comments: undefined },
  ],
});

describe.each(['2.1', '3.0'] as const)('version %s', (version) => {
  test('what is written is read back', async () => {
    const bytes = await writeBcf(file(version));
    expect(await writeBcf(file(version))).toEqual(bytes);
    const { viewpoint: _viewpoint, snapshot: _snapshot, ...words } = topic;
    const read = await readBcf(bytes);
    expect(read.version).toBe(version);
    expect(read.topics[0]).toEqual({
      ...words,
      components: [
        { name: 'pipe', ifcGuid: '2SugUv4EX5LAhcVpDp2dUH' },
        { name: 'wall', ifcGuid: undefined },
      ],
    });
    expect(read.topics[1]).toMatchObject({ comments: [], components: [] });
  });

  test('elements are in the order of the schema, with the section and the size of the view in meters', async () => {
    const files = readZip(Buffer.from(await writeBcf(file(version))));
    const xml = (path: string) => parseXml(files.get(path)!.toString('utf8'));
    const markup = xml(`${GUID}/markup.bcf`);
    const body = markup.children[1];
    const own = ['Title', 'Priority', 'Index', 'Labels', 'CreationDate', 'CreationAuthor', 'AssignedTo', 'Description'];
    if (version === '2.1') {
      expect(childrenOf(markup)).toEqual(['Header', 'Topic', 'Comment', 'Viewpoints']);
      expect(childrenOf(body)).toEqual(own.flatMap((name) => (name === 'Labels' ? [name, name] : [name])));
    } else {
      expect(childrenOf(markup)).toEqual(['Header', 'Topic']);
      expect(childrenOf(body)).toEqual([...own, 'Comments', 'Viewpoints']);
      const lists = ['TopicTypes', 'TopicStatuses', 'Priorities', 'TopicLabels', 'Users', 'SnippetTypes', 'Stages'];
      expect(childrenOf(xml('extensions.xml'))).toEqual(lists);
    }
    const view = xml(`${GUID}/viewpoint.bcfv`);
    expect(childrenOf(view)).toEqual(['Components', 'OrthogonalCamera', 'Lines', 'ClippingPlanes']);
    const [location] = view.children[3].children[0].children;
    expect(location.children.map(({ text }) => Number(text))).toEqual([0.001, 0.002, 0]);
    const camera = childrenOf(view.children[1]);
    expect(camera.slice(3)).toEqual(version === '2.1' ? ['ViewToWorldScale'] : ['ViewToWorldScale', 'AspectRatio']);
  });
});

test('files of other programs, with prefixes, blanks and empty lists', async () => {
  const text = (path: string, words: string) => ({ path, bytes: new TextEncoder().encode(words) });
  const markup = `<?xml version="1.0"?><Markup><Header/><Topic Guid="${GUID.toUpperCase()}" TopicType="Clash" TopicStatus="Closed">
    <Title> two  </Title><Labels/><Comments><Comment Guid="c"><Date>d</Date><Author>a</Author><Comment/></Comment></Comments>
    </Topic></Markup>`;
  const bytes = await writeZip([text('bcf.version', '<Version VersionId="3.0"/>'), text(`${GUID}/markup.bcf`, markup)]);
  const { topics } = await readBcf(bytes);
  expect(topics).toMatchObject([
    { guid: GUID, title: 'two', status: 'Closed', labels: [], comments: [{ author: 'a', text: '' }] },
  ]);
  expect(await laterCodeOf(async () => readBcf(await writeZip([text('a.txt', 'a')])))).toBe('file-format');
  expect(await laterCodeOf(() => readBcf(Uint8Array.of(1, 2, 3)))).toBe('file-truncated');
});
