// Reads what people have made of topics in an archive of the BIM Collaboration Format 2.0, 2.1 or 3.0: status, comments, who is
// to solve it, and the parts it is about. Versions differ in the elements around lists, so that elements are looked for by name.
import { NearfieldError } from '../../core/errors.js';
import { READ_OPTIONS, type ReadOptions } from '../model/read-options.js';
import type { XmlElement } from '../xml/xml-tree.js';
import { ZipArchive } from '../zip/read-zip.js';
import type { BcfComment, BcfComponent } from './write-bcf.js';

/** A topic as a file has it. */
export interface ReadTopic {
  readonly guid: string;
  readonly title: string;
  readonly type: string;
  /** Empty where the file says none. */
  readonly status: string;
  readonly priority: string;
  readonly labels: readonly string[];
  readonly assignedTo: string | undefined;
  readonly description: string;
  readonly comments: readonly BcfComment[];
  /** The parts that are selected in its viewpoints. */
  readonly components: readonly BcfComponent[];
}

/** The content of a file. */
export interface ReadBcf {
  readonly version: string;
  readonly topics: readonly ReadTopic[];
}

/** Reads an archive. @throws NearfieldError `file-format` for what is not one. */
export async function readBcf(bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadBcf> {
  if (!(bytes instanceof Uint8Array)) {
    throw new NearfieldError('bad-argument', 'readBcf takes the bytes of the file as a Uint8Array.');
  }
  READ_OPTIONS.assert(options);
  const { parseXml } = await import('../xml/xml-tree.js');
  const archive = new ZipArchive(bytes);
  const parse = async (path: string): Promise<XmlElement | null> => {
    const content = await archive.read(path);
    return content === null ? null : parseXml(content, options);
  };
  const version = await parse('bcf.version');
  const markups = archive.paths.filter((path) => path.endsWith('/markup.bcf'));
  if (version === null && markups.length === 0) {
    throw new NearfieldError('file-format', 'The archive has no bcf.version and no topics; give a BCF file.');
  }
  const topics: ReadTopic[] = [];
  for (const path of markups) {
    const folder = path.slice(0, -'markup.bcf'.length);
    const views = archive.paths.filter((other) => other.startsWith(folder) && other.endsWith('.bcfv'));
    const components: BcfComponent[] = [];
    for (const view of views) components.push(...selectionOf(await parse(view)));
    topics.push(topicOf((await parse(path))!, components));
  }
  return { version: version?.attributes.VersionId ?? '2.0', topics };
}

function topicOf(markup: XmlElement, components: readonly BcfComponent[]): ReadTopic {
  const topic = markup.need('Topic');
  const wordsOf = (name: string): string => topic.child(name)?.text.trim() ?? '';
  const labels = topic.all('Labels').flatMap((label) => (label.children.length > 0 ? label.all('Label') : [label]));
  const said = [...markup.all('Comment'), ...(topic.child('Comments')?.all('Comment') ?? [])];
  const assignedTo = wordsOf('AssignedTo');
  return {
    guid: topic.attribute('Guid').toLowerCase(),
    title: wordsOf('Title'),
    type: topic.attributes.TopicType ?? '',
    status: topic.attributes.TopicStatus ?? '',
    priority: wordsOf('Priority'),
    labels: labels.map(({ text }) => text.trim()).filter((text) => text !== ''),
    assignedTo: assignedTo === '' ? undefined : assignedTo,
    description: wordsOf('Description'),
    comments: said.map((comment) => ({
      guid: comment.attributes.Guid ?? '',
      date: comment.child('Date')?.text.trim() ?? '',
      author: comment.child('Author')?.text.trim() ?? '',
      text: comment.child('Comment')?.text.trim() ?? '',
    })),
    components,
  };
}

function selectionOf(view: XmlElement | null): BcfComponent[] {
  const selection = view?.child('Components')?.child('Selection');
  return (selection?.all('Component') ?? []).map((component) => ({
    name: component.child('AuthoringToolId')?.text.trim() ?? '',
    ifcGuid: component.attributes.IfcGuid,
  }));
}
