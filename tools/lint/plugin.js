import { noClock } from './no-clock.js';
import { rooms } from './rooms.js';
import { throwsTag } from './throws-tag.js';

/** Rules of this repository that the linter has no option for. */
export default { meta: { name: 'kontor' }, rules: { 'no-clock': noClock, rooms, 'throws-tag': throwsTag } };
