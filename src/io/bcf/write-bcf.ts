// BIM Collaboration Format 2.1 (buildingSMART 2017): a ZIP archive with a folder for each topic, which has markup.bcf, a
// viewpoint and a snapshot. GUIDs come from the content, so that the same clashes give the same file, and a tool that
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
  readonly viewpoint: BcfViewpoint;
  /** A PNG image, or null. */
  readonly snapshot: Uint8Array | null;
}

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
}

export interface BcfFile {
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

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** The bytes of a .bcfzip file. */
export async function writeBcf(file: BcfFile): Promise<Uint8Array> {
  const projectId = await guidOf(`project ${file.project}`);
  const entries: ZipEntry[] = [
    text('bcf.version', `<Version ${SCHEMA} VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>`),
    text(
      'project.bcfp',
      `<ProjectExtension ${SCHEMA}><Project ProjectId="${projectId}"><Name>${escapeMarkup(file.project)}</Name></Project>` +
        '<ExtensionSchema></ExtensionSchema></ProjectExtension>',
    ),
  ];
  for (const [index, topic] of file.topics.entries()) {
    const { guid } = topic;
    const viewId = await guidOf(`${guid} viewpoint`);
    entries.push(
      text(`${guid}/markup.bcf`, writeMarkup(file, topic, index, guid, viewId)),
      text(`${guid}/viewpoint.bcfv`, writeViewpoint(file, topic.viewpoint, viewId)),
    );
    if (topic.snapshot !== null) entries.push({ path: `${guid}/snapshot.png`, bytes: topic.snapshot });
  }
  return writeZip(entries);
}

function text(path: string, markup: string): ZipEntry {
  return { path, bytes: new TextEncoder().encode(`${HEAD}${markup}\n`) };
}

/** The elements are in the order of the schema markup.xsd. */
function writeMarkup(
  { files, author, date }: BcfFile,
  topic: BcfTopic,
  index: number,
  guid: string,
  viewId: string,
): string {
  const header = files.map((name) => `<File isExternal="true"><Filename>${escapeMarkup(name)}</Filename></File>`);
  const labels = topic.labels.map((label) => `<Labels>${escapeMarkup(label)}</Labels>`);
  const snapshot = topic.snapshot === null ? '' : '<Snapshot>snapshot.png</Snapshot>';
  return (
    `<Markup ${SCHEMA}><Header>${header.join('')}</Header>` +
    `<Topic Guid="${guid}" TopicType="${escapeMarkup(topic.type)}" TopicStatus="Open">` +
    `<Title>${escapeMarkup(topic.title)}</Title><Priority>${escapeMarkup(topic.priority)}</Priority><Index>${index}</Index>` +
    `${labels.join('')}<CreationDate>${escapeMarkup(date)}</CreationDate>` +
    `<CreationAuthor>${escapeMarkup(author)}</CreationAuthor><Description>${escapeMarkup(topic.description)}</Description></Topic>` +
    `<Viewpoints Guid="${viewId}"><Viewpoint>viewpoint.bcfv</Viewpoint>${snapshot}</Viewpoints></Markup>`
  );
}

function writeViewpoint(
  file: BcfFile,
  { eye, direction, up, height, selection, lines }: BcfViewpoint,
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
  return (
    `<VisualizationInfo ${SCHEMA} Guid="${guid}"><Components>` +
    `${components.length === 0 ? '' : `<Selection>${components.join('')}</Selection>`}` +
    '<Visibility DefaultVisibility="true"/></Components>' +
    `<OrthogonalCamera><CameraViewPoint>${point(eye)}</CameraViewPoint><CameraDirection>${axes(direction)}</CameraDirection>` +
    `<CameraUpVector>${axes(up)}</CameraUpVector><ViewToWorldScale>${decimal(file.unit * height)}</ViewToWorldScale></OrthogonalCamera>` +
    `${segments.length === 0 ? '' : `<Lines>${segments.join('')}</Lines>`}</VisualizationInfo>`
  );
}

/** A number of xsd:double; never "-0". */
function decimal(value: number): string {
  return String(value === 0 ? 0 : value);
}
