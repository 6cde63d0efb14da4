import { noClock } from './no-clock.js';
import { noFileWrites } from './no-file-writes.js';
import { moduleBoundaries } from './module-boundaries.js';
import { throwsTag } from './throws-tag.js';

/** Rules of this repository that the linter has no option for. */
export default {
  meta: { name: 'kontor' },
  rules: {
    'no-clock': noClock,
    'no-file-writes': noFileWrites,
    'module-boundaries': moduleBoundaries,
    'throws-tag': throwsTag,
  },
};
