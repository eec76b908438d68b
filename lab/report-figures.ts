import { box as boxes } from 'nearfield/core';
import type { MeshReport } from 'nearfield/mesh';
import type { Figure } from './figures.js';

/** The figures of a mesh report, by group. */
export function reportFigures(report: MeshReport): [group: string, figures: Figure[]][] {
  const size = boxes.size(report.box);
  return [
    [
      'Surface',
      [
        count('vertices', 'Vertices'),
        count('triangles', 'Triangles'),
        count('edges', 'Edges'),
        count('components', 'Components'),
        { id: 'genus', label: 'Genus', value: report.genus },
      ],
    ],
    [
      'Soundness',
      [
        wish('closed', 'Closed'),
        wish('manifold', 'Manifold'),
        wish('oriented', 'Oriented'),
        wish('outward', 'Faces outward'),
        fault('selfIntersections', 'Crossing pairs'),
        fault('boundaryLoops', 'Open loops'),
        fault('boundaryEdges', 'Open edges'),
        fault('nonManifoldEdges', 'Non-manifold edges'),
        fault('nonManifoldVertices', 'Non-manifold vertices'),
        fault('degenerateFaces', 'Degenerate faces'),
        fault('duplicateFaces', 'Duplicate faces'),
        fault('duplicateVertices', 'Duplicate vertices'),
        { id: 'weldedVertices', label: 'Vertices joined at seams', value: report.weldedVertices },
        fault('unusedVertices', 'Unused vertices'),
      ],
    ],
    [
      'Solid',
      [
        { id: 'area', label: 'Area', value: report.area, unit: 'm²' },
        { id: 'volume', label: 'Volume', value: report.volume, unit: 'm³' },
        { id: 'size', label: 'Box', value: size, unit: 'm' },
        { id: 'centerOfMass', label: 'Center of mass', value: report.centerOfMass, unit: 'm' },
        {
          id: 'inertia',
          label: 'Inertia xx yy zz',
          value: report.inertia && [report.inertia[0][0], report.inertia[1][1], report.inertia[2][2]],
        },
      ],
    ],
  ];

  function count(id: 'vertices' | 'triangles' | 'edges' | 'components', label: string): Figure {
    return { id, label, value: report[id] };
  }

  function wish(id: 'closed' | 'manifold' | 'oriented' | 'outward', label: string): Figure {
    const value = report[id];
    const lead = id === 'closed' ? { lead: verdictOf(report) } : {};
    return value === null ? { id, label, value, ...lead } : { id, label, value, tone: value ? 'good' : 'bad', ...lead };
  }

  function fault(id: FaultName, label: string): Figure {
    const value = report[id];
    return value === 0 || value === null ? { id, label, value } : { id, label, value, tone: 'bad' };
  }
}

/** What the report means for what one may do with the mesh. */
function verdictOf({ closed, manifold, selfIntersections, boundaryLoops }: MeshReport): string {
  if (!closed && (boundaryLoops ?? 0) > 0) return 'It is open: repair fills its holes, or make a solid from it.';
  if (!closed || !manifold) return 'It bounds no solid yet: repair it, or make a solid from it.';
  if ((selfIntersections ?? 0) > 0) return 'It is closed, but faces cross: make a solid from it.';
  return 'It bounds a solid: closed, and no faces cross.';
}

type FaultName =
  | 'selfIntersections'
  | 'boundaryLoops'
  | 'boundaryEdges'
  | 'nonManifoldEdges'
  | 'nonManifoldVertices'
  | 'degenerateFaces'
  | 'duplicateFaces'
  | 'duplicateVertices'
  | 'unusedVertices';
