// Loaded into the child before its program. The channel to the parent closes when the parent is gone, however it ended.
// A parent that ends in order waits for this process first, so a closed channel means it was killed outright, and this
// process, being the same program to whoever killed it, ends in the same way.
import process from 'node:process';

if (process.channel !== undefined) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Neither the channel nor its listener may keep the program from ending.
  process.channel.unref();
}
