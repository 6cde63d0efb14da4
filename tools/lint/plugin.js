import { noClock } from './no-clock.js';
import { rooms } from './rooms.js';

/** Rules of this repository that the linter has no option for. */
export default { meta: { name: 'kontor' }, rules: { 'no-clock': noClock, rooms } };
