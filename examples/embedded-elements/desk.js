const inbox = document.querySelector('dialplane-inbox');
const phone = document.querySelector('dialplane-phone');

/** Gets a session of the tenant from our own server, which knows who is signed in. */
async function renew() {
  const reply = await fetch('/browser-session', { method: 'POST' });
  if (!reply.ok) throw new Error(`no session: ${reply.status}`);
  return await reply.json();
}

// Each element asks for another session shortly before its session ends.
for (const element of [inbox, phone]) element.renew = renew;
inbox.session = phone.session = await renew();

inbox.addEventListener('call-requested', ({ detail }) => phone.dial(detail.to));
