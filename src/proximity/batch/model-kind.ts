// Models as the items of a pool: their meshes travel, with their trees where these lie in shared memory.
import { triangleCount } from '../../mesh/mesh.js';
import type { ItemKind } from '../../pool/item-kind.js';
import { shareIds, shareNumbers } from '../../pool/shared-arrays.js';
import { BoxTree, type TreeArrays } from '../boxes/box-tree.js';
import { BOXES } from '../model-parts.js';
import { ProximityModel } from '../proximity-model.js';
import { assertModels } from './batch.js';

interface PackedModel {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Its complete tree of boxes, in shared memory; if it is absent, the worker makes what it needs. */
  readonly tree?: TreeArrays | undefined;
}

/** Chosen: models that a worker keeps with what tasks have derived from them, however large they are. */
const MODELS_KEPT = 64;
/** Chosen: triangles of the models that a worker keeps beyond that number. */
const TRIANGLES_KEPT = 2 ** 20;

export const MODEL_KIND: ItemKind<ProximityModel> = {
  assertItems: assertModels,
  pack(model, shared): PackedModel {
    const { positions, indices } = model.mesh;
    if (!shared) return { positions, indices };
    const tree = model.parts.peek(BOXES);
    const isShared = tree?.isComplete === true && tree.boxes.buffer instanceof SharedArrayBuffer;
    return {
      positions: shareNumbers(positions),
      indices: shareIds(indices),
      tree: isShared ? { boxes: tree.boxes, links: tree.links } : undefined,
    };
  },
  unpack({ positions, indices, tree }: PackedModel) {
    const model = new ProximityModel({ positions, indices });
    if (tree !== undefined) model.parts.set(BOXES, new BoxTree(model.mesh, tree));
    return model;
  },
  sizeOf: (model) => triangleCount(model.mesh),
  countKept: MODELS_KEPT,
  sizeKept: TRIANGLES_KEPT,
};
