/** Measures the line of a call: the audio that is lost, its jitter, and the time to the server and back. */

/** @typedef {import('../index.d.ts').CallQuality} CallQuality */
/** @typedef {import('./jitter-buffer.js').LineCounts} LineCounts */

const WHOLE = 100;

/**
 * Measures the audio that a socket receives. The audio thread reports its counts every few seconds. With each report
 * the server is sent a mark, which it sends back at once.
 * @param {Pick<WebSocket, 'readyState' | 'send' | 'addEventListener'>} socket
 * @param {(quality: CallQuality) => void} onQuality
 * @param {() => number} [nowMs]
 */
export function measureQuality(socket, onQuality, nowMs = () => performance.now()) {
  /** @type {Pick<LineCounts, 'due' | 'lost'>} */
  let before = { due: 0, lost: 0 };
  let marks = 0;
  let sentMs = 0;
  /** @type {number | null} */
  let roundTripMs = null;
  const sendMark = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    marks++;
    sentMs = nowMs();
    socket.send(JSON.stringify({ event: 'mark', name: `quality-${marks}` }));
  };
  socket.addEventListener('open', sendMark);
  return {
    /**
     * Handles a mark that the server has sent back.
     * @param {string} name
     */
    handleMark(name) {
      if (name === `quality-${marks}`) roundTripMs = nowMs() - sentMs;
    },
    /**
     * Handles a report of the audio thread. Reports no quality for a time without due audio, such as on hold.
     * @param {LineCounts} counts
     */
    handleReport({ due, lost, jitterMs }) {
      const [dueNow, lostNow] = [due - before.due, lost - before.lost];
      before = { due, lost };
      if (dueNow > 0) onQuality({ lossPercent: Math.min(WHOLE, (WHOLE * lostNow) / dueNow), jitterMs, roundTripMs });
      roundTripMs = null;
      sendMark();
    },
  };
}
