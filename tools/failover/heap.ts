// Loaded before `kontor serve`: answers each message with the bytes of the heap after a collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('message', () => {
  collect();
  process.send!(process.memoryUsage().heapUsed);
});
