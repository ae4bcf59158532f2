/**
 * The time of a dialogue, which stands still until a test moves it. Words take time to speak, and an agent must answer
 * within a limit.
 */

/** How long a voice takes for a character. */
const MS_PER_CHARACTER = 60;
/** If the agent owes an answer for this time, the server ends the relay as `agent_silent`. */
const SILENT_MS = 10_000;

export class DialogueClock {
  #nowMs = 0;
  /** When the first word of the latest text reaches the customer. */
  #startMs = 0;
  /** When the customer has heard all sent words. */
  #endMs = 0;
  /** The time since which the agent owes an answer. */
  #owedSinceMs: number | undefined = 0;
  /** Whether the agent has sent words since `owe` was last called. */
  #hasWords = false;

  /** How long the customer has heard the present text. */
  get heardMs(): number {
    return Math.max(0, Math.min(this.#nowMs, this.#endMs) - this.#startMs);
  }

  /** Notes that the agent owes an answer from now on. */
  owe(): void {
    this.#hasWords = false;
    this.#owedSinceMs = this.#nowMs;
  }

  /** Records a part of a text. The last part of a text that has words is the agent's answer. */
  speak(token: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): void {
    const startMs = Math.max(this.#nowMs, this.#endMs);
    if (isFirst) this.#startMs = startMs;
    this.#endMs = startMs + token.length * MS_PER_CHARACTER;
    this.#hasWords ||= token.trim() !== '';
    // Blank parts are no answer, such as the end of a text that was stopped.
    if (this.#hasWords) this.#owedSinceMs = isLast ? undefined : this.#nowMs;
  }

  /** Notes an answer without words. */
  answer(): void {
    this.#owedSinceMs = undefined;
  }

  /** Stops the present text. The agent owes an answer. */
  interrupt(): void {
    this.#endMs = this.#nowMs;
    this.owe();
  }

  /**
   * Moves the time.
   * @returns false if by then the agent has owed an answer for SILENT_MS, while nothing was spoken
   */
  advance(seconds: number): boolean {
    const untilMs = this.#nowMs + seconds * 1_000;
    const limitMs = this.#owedSinceMs === undefined ? Infinity : Math.max(this.#owedSinceMs, this.#endMs) + SILENT_MS;
    this.#nowMs = Math.min(untilMs, limitMs);
    return untilMs < limitMs;
  }

  /** Returns the part of the present text that the customer has heard: a word counts once half of it was heard. */
  heardOf(text: string): string {
    const heard = this.heardMs / MS_PER_CHARACTER;
    const words = [...text.matchAll(/\S+\s*/g)];
    const unheard = words.find(({ index, 0: word }) => index + word.trimEnd().length / 2 > heard);
    return (unheard === undefined ? text : text.slice(0, unheard.index)).trimEnd();
  }
}
