// Sounds, off until asked for: a wooden tap, a turned tile, a bell. Made here, nothing is loaded.

let context = /** @type {AudioContext|null} */ (null);

export const soundIsOn = () => localStorage.getItem("sound") === "on";

/** @param {boolean} on */
export const setSound = (on) => localStorage.setItem("sound", on ? "on" : "off");

/** @param {number} frequency @param {number} seconds @param {OscillatorType} kind @param {number} loud */
function tone(frequency, seconds, kind, loud) {
  if (!soundIsOn()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume(); // it was made before the page was first touched
  const volume = context.createGain();
  const oscillator = context.createOscillator();
  oscillator.type = kind;
  oscillator.frequency.value = frequency;
  volume.gain.setValueAtTime(loud, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + seconds);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start();
  oscillator.stop(context.currentTime + seconds);
}

export const tap = () => tone(190, 0.09, "triangle", 0.5);
export const turned = () => tone(420, 0.14, "sine", 0.25);
export const bell = () => {
  tone(880, 0.9, "sine", 0.2);
  tone(1320, 0.7, "sine", 0.08);
};
