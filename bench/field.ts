// Distance fields: Tables 1 and 2 of Fisher and Lin 2001, how the march converges, and whole fields, transforms and
// narrow bands beside their peers in the same run; what was recorded on a GPU.
import { convergenceTable } from './field-convergence.js';
import { fieldGpuTables } from './field-gpu-record.js';
import { bandTable, marchTable, transformTable, wholeTable } from './field-peers.js';
import { centerTable, modelTable } from './field-tables.js';
import { PythonFields } from './peers/python-fields.js';
import type { Suite } from './suite.js';

export const fieldSuite: Suite = {
  name: 'field',
  title: 'Distance fields',
  chapters: ['field'],
  run: async (context) => {
    const peers = PythonFields.find();
    try {
      return [
        centerTable(context),
        modelTable(context),
        convergenceTable(context),
        await marchTable(peers, context),
        await transformTable(peers, context),
        await bandTable(peers, context),
        await wholeTable(context),
        ...fieldGpuTables(),
      ];
    } finally {
      peers?.close();
    }
  },
};
