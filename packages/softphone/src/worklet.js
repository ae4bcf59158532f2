/** The module of the audio thread. */
import './capture-worklet.js';
import './playback-worklet.js';
