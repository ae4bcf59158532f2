const PREFIX = 'web_client:';

/** Returns an agent of a call without the prefix of `answered_by`. In all other places a web client is its id. */
export const agentIdOf = (party: string): string => (party.startsWith(PREFIX) ? party.slice(PREFIX.length) : party);
