// Loaded into the child before its program. The channel to the parent closes when the parent has ended for any reason.
// A parent that stops in order waits for this process first. So a closed channel means that the parent was killed. This
// process then ends by the same signal, together with its process group if it leads one.
import process from 'node:process';

if (process.connected === false) end();
if (process.connected === true) {
  process.on('disconnect', end);
  // Writing to a killed parent is an error. It may end this process before the `disconnect` event comes.
  process.on('uncaughtExceptionMonitor', ({ code }) => {
    if (code === 'EPIPE') endOwnGroup();
  });
  // Neither the channel nor its listener may keep the process alive.
  process.channel.unref();
}

function end() {
  endOwnGroup();
  process.kill(process.pid, 'SIGKILL');
}

function endOwnGroup() {
  if (process.platform === 'win32') return;
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch (error) {
    // This process does not lead its process group.
    if (error.code !== 'ESRCH') throw error;
  }
}
