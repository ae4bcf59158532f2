// The inbox in the browser. The page reads its data again after each event, so a missed event does no harm.
const $ = (id) => document.getElementById(id);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
let open;
let waitMs = FIRST_WAIT_MS;

/** Asks the server of the page. Throws the code of a refusal. */
async function ask(method, path, body) {
  const options = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const reply = await fetch(path, { method, ...options });
  const result = await reply.json();
  if (!reply.ok) throw new Error(result.error);
  return result;
}

async function refresh() {
  const conversations = await ask('GET', '/conversations');
  $('conversations').replaceChildren(...conversations.map(conversationItem));
  const shown = conversations.find(({ id }) => id === open);
  if (shown === undefined) return;
  $('person').textContent = shown.external_number;
  $('reply').hidden = false;
  const timeline = await ask('GET', `/conversations/${open}`);
  $('timeline').replaceChildren(...timeline.toReversed().map(timelineItem));
}

// Texts of people are set as text, never as markup.
function conversationItem({ id, external_number, last_message_preview, opted_out }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `${external_number}${opted_out ? ' (opted out)' : ''}: ${last_message_preview}`;
  button.onclick = () => {
    open = id;
    run(refresh());
  };
  const item = document.createElement('li');
  item.append(button);
  return item;
}

function timelineItem({ object, direction, status, body }) {
  const item = document.createElement('li');
  item.textContent = `${direction === 'inbound' ? 'They' : 'We'}: ${body ?? object} (${status ?? 'new'})`;
  return item;
}

$('reply').onsubmit = async (submit) => {
  submit.preventDefault();
  const button = $('reply').querySelector('button');
  button.disabled = true;
  try {
    await ask('POST', `/conversations/${open}/messages`, { key: crypto.randomUUID(), text: $('text').value });
    $('text').value = '';
    $('problem').textContent = '';
    await refresh();
  } catch (error) {
    $('problem').textContent = `Not sent: ${error.message}`;
  }
  button.disabled = false;
};

async function connect() {
  const { url, token } = await ask('POST', '/socket-token', {});
  const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
  socket.onopen = () => {
    waitMs = FIRST_WAIT_MS;
    $('state').textContent = 'Connected';
    // Shows the changes that happened while there was no connection.
    run(refresh());
  };
  socket.onmessage = () => run(refresh());
  socket.onclose = connectLater;
}

/**
 * Connects again after a pause, because the token was used up, the network failed, or the server restarts. Each pause
 * is longer than the one before.
 */
function connectLater() {
  $('state').textContent = 'Connecting';
  setTimeout(() => connect().catch(connectLater), waitMs * (0.5 + Math.random()));
  waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
}

function run(work) {
  work.catch((error) => {
    $('state').textContent = `Reload the page: ${error.message}`;
  });
}

connect().catch(connectLater);
