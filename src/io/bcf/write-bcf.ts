// BIM Collaboration Format 2.1 and 3.0 (buildingSMART 2017 and 2021): a ZIP archive with a folder for each topic, which has
// markup.bcf, a viewpoint and a snapshot. GUIDs come from the content, so that the same clashes give the same file, and a tool that
// reads it again finds the topics it knows.
import { escapeMarkup } from '../report/markup.js';
import { writeZip, type ZipEntry } from '../zip/write-zip.js';
import { guidOf } from './guid.js';

/** One issue of the exchange. */
export interface BcfTopic {
  /** The same topic has the same one in every file. */
  readonly guid: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly priority: string;
  readonly labels: readonly string[];
  /** Default 'Open'. */
  readonly status?: string | undefined;
  readonly assignedTo?: string | undefined;
  readonly comments?: readonly BcfComment[] | undefined;
  /** Null for a topic of which only the words are kept. */
  readonly viewpoint: BcfViewpoint | null;
  /** A PNG image, or null. */
  readonly snapshot: Uint8Array | null;
}

/** What somebody said about a topic. */
export interface BcfComment {
  readonly guid: string;
  /** ISO 8601. */
  readonly date: string;
  readonly author: string;
  readonly text: string;
}

/** The versions that are written. */
export type BcfVersion = '2.1' | '3.0';

/** A part of the model. */
export interface BcfComponent {
  /** As the program names it that made the model. */
  readonly name: string;
  /** The GlobalId of IFC, where there is one. */
  readonly ifcGuid?: string | undefined;
}

/** A parallel view and lines in it, in the frame of the model. */
export interface BcfViewpoint {
  readonly eye: readonly number[];
  /** A unit vector. */
  readonly direction: readonly number[];
  /** A unit vector across the direction. */
  readonly up: readonly number[];
  /** The height that the view shows. */
  readonly height: number;
  /** The parts that are the topic. */
  readonly selection: readonly BcfComponent[];
  /** Six numbers each. */
  readonly lines: readonly (readonly number[])[];
  /** Planes that cut the view open: what is on the side to which the direction points is not shown. */
  readonly sections: readonly { readonly point: readonly number[]; readonly direction: readonly number[] }[];
}

export interface BcfFile {
  readonly version: BcfVersion;
  readonly project: string;
  /** The names of the model files. */
  readonly files: readonly string[];
  readonly author: string;
  /** ISO 8601, with the time zone. */
  readonly date: string;
  /** The model's upward axis. BCF has z up: models with y up are turned. */
  readonly up: 'y' | 'z';
  /** The model's unit of length in meters, which BCF has. */
  readonly unit: number;
  readonly topics: readonly BcfTopic[];
}

/** The first one is that of new topics. */
const STATUSES = ['Open', 'Reopened', 'Closed'] as const;

/** Chosen: the width of a view as a multiple of its height. */
const ASPECT = 4 / 3;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** The bytes of a .bcfzip file. */
export async function writeBcf(file: BcfFile): Promise<Uint8Array> {
  const projectId = await guidOf(`project ${file.project}`);
  const { version } = file;
  const project = `<Project ProjectId="${projectId}"><Name>${escapeMarkup(file.project)}</Name></Project>`;
  const entries: ZipEntry[] =
    version === '2.1'
      ? [
          text('bcf.version', `<Version ${SCHEMA} VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>`),
          text(
            'project.bcfp',
            `<ProjectExtension ${SCHEMA}>${project}<ExtensionSchema></ExtensionSchema></ProjectExtension>`,
          ),
        ]
      : [
          text('bcf.version', `<Version ${SCHEMA} VersionId="3.0"/>`),
          text('project.bcfp', `<ProjectInfo ${SCHEMA}>${project}</ProjectInfo>`),
          text('extensions.xml', writeExtensions(file)),
        ];
  for (const [index, topic] of file.topics.entries()) {
    const { guid, viewpoint } = topic;
    const viewId = viewpoint === null ? null : await guidOf(`${guid} viewpoint`);
    entries.push(text(`${guid}/markup.bcf`, writeMarkup(file, topic, index, viewId)));
    if (viewpoint !== null) entries.push(text(`${guid}/viewpoint.bcfv`, writeViewpoint(file, viewpoint, viewId!)));
    if (topic.snapshot !== null) entries.push({ path: `${guid}/snapshot.png`, bytes: topic.snapshot });
  }
  return writeZip(entries);
}

/** The words that the topics use; version 3.0 has them all in one place. */
function writeExtensions({ topics, author }: BcfFile): string {
  const list = (names: string, name: string, values: readonly (string | undefined)[]): string =>
    element(
      names,
      [...new Set(values)].filter((value) => value !== undefined).map((value) => element(name, escapeMarkup(value))),
    );
  return `<Extensions ${SCHEMA}>${[
    list(
      'TopicTypes',
      'TopicType',
      topics.map(({ type }) => type),
    ),
    list('TopicStatuses', 'TopicStatus', [...STATUSES, ...topics.map(({ status }) => status)]),
    list(
      'Priorities',
      'Priority',
      topics.map(({ priority }) => priority),
    ),
    list(
      'TopicLabels',
      'TopicLabel',
      topics.flatMap(({ labels }) => labels),
    ),
    list('Users', 'User', [author, ...topics.map(({ assignedTo }) => assignedTo)]),
    element('SnippetTypes', []),
    element('Stages', []),
  ].join('')}</Extensions>`;
}

function element(name: string, content: string | readonly string[]): string {
  return `<${name}>${typeof content === 'string' ? content : content.join('')}</${name}>`;
}

function text(path: string, markup: string): ZipEntry {
  return { path, bytes: new TextEncoder().encode(`${HEAD}${markup}\n`) };
}

/** The elements are in the order of the schema markup.xsd. */
function writeMarkup(
  { version, files, author, date }: BcfFile,
  topic: BcfTopic,
  index: number,
  viewId: string | null,
): string {
  const isOld = version === '2.1';
  /** Version 3.0 has an element around each list. */
  const list = (names: string, items: readonly string[]): string => (isOld ? items.join('') : element(names, items));
  const header = files.map(
    (name) => `<File ${isOld ? 'isExternal' : 'IsExternal'}="true">${element('Filename', escapeMarkup(name))}</File>`,
  );
  const labels = topic.labels.map((label) => element(isOld ? 'Labels' : 'Label', escapeMarkup(label)));
  const comments = (topic.comments ?? []).map(
    ({ guid, date: said, author: by, text: words }) =>
      `<Comment Guid="${escapeMarkup(guid)}"><Date>${escapeMarkup(said)}</Date><Author>${escapeMarkup(by)}</Author>` +
      `<Comment>${escapeMarkup(words)}</Comment></Comment>`,
  );
  const snapshot = topic.snapshot === null ? '' : '<Snapshot>snapshot.png</Snapshot>';
  const view = `<Viewpoint>viewpoint.bcfv</Viewpoint>${snapshot}`;
  const name = isOld ? 'Viewpoints' : 'ViewPoint';
  const views = viewId === null ? [] : [`<${name} Guid="${viewId}">${view}</${name}>`];
  const body =
    `${element('Title', escapeMarkup(topic.title))}${element('Priority', escapeMarkup(topic.priority))}` +
    `${element('Index', String(index))}${list('Labels', labels)}${element('CreationDate', escapeMarkup(date))}` +
    `${element('CreationAuthor', escapeMarkup(author))}` +
    `${topic.assignedTo === undefined ? '' : element('AssignedTo', escapeMarkup(topic.assignedTo))}` +
    element('Description', escapeMarkup(topic.description));
  const lists = [list('Comments', comments), list('Viewpoints', views)].join('');
  return (
    `<Markup ${SCHEMA}><Header>${list('Files', header)}</Header>` +
    `<Topic Guid="${topic.guid}" TopicType="${escapeMarkup(topic.type)}" TopicStatus="${escapeMarkup(topic.status ?? STATUSES[0])}">` +
    `${body}${isOld ? '' : lists}</Topic>${isOld ? lists : ''}</Markup>`
  );
}

function writeViewpoint(
  file: BcfFile,
  { eye, direction, up, height, selection, lines, sections }: BcfViewpoint,
  guid: string,
): string {
  const components = selection.map(
    ({ name, ifcGuid }) =>
      `<Component${ifcGuid === undefined ? '' : ` IfcGuid="${escapeMarkup(ifcGuid)}"`}>` +
      `<AuthoringToolId>${escapeMarkup(name)}</AuthoringToolId></Component>`,
  );
  const axes = ([x, y, z]: readonly number[]): string => {
    const [u, v, w] = file.up === 'y' ? [x, -z, y] : [x, y, z];
    return `<X>${decimal(u)}</X><Y>${decimal(v)}</Y><Z>${decimal(w)}</Z>`;
  };
  const point = (at: readonly number[]): string => axes(at.map((value) => file.unit * value));
  const segments = lines.map(
    (line) =>
      `<Line><StartPoint>${point(line.slice(0, 3))}</StartPoint><EndPoint>${point(line.slice(3, 6))}</EndPoint></Line>`,
  );
  const planes = sections.map(({ point: at, direction: away }) =>
    element('ClippingPlane', element('Location', point(at)) + element('Direction', axes(away))),
  );
  return (
    `<VisualizationInfo ${SCHEMA} Guid="${guid}"><Components>` +
    `${components.length === 0 ? '' : `<Selection>${components.join('')}</Selection>`}` +
    '<Visibility DefaultVisibility="true"/></Components>' +
    `<OrthogonalCamera><CameraViewPoint>${point(eye)}</CameraViewPoint><CameraDirection>${axes(direction)}</CameraDirection>` +
    `<CameraUpVector>${axes(up)}</CameraUpVector><ViewToWorldScale>${decimal(file.unit * height)}</ViewToWorldScale>` +
    `${file.version === '2.1' ? '' : element('AspectRatio', decimal(ASPECT))}</OrthogonalCamera>` +
    `${segments.length === 0 ? '' : `<Lines>${segments.join('')}</Lines>`}` +
    `${planes.length === 0 ? '' : element('ClippingPlanes', planes)}</VisualizationInfo>`
  );
}

/** A number of xsd:double; never "-0". */
function decimal(value: number): string {
  return String(value === 0 ? 0 : value);
}
