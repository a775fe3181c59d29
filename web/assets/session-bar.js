// The control at the top of the page: shows the session and lets one change it.

const select = document.getElementById("session-user");
const field = document.getElementById("session-token");
const status = document.getElementById("session-status");

const USER = "user:"; // before a handle in an option's value, so that no handle can be mistaken for another choice

export function showSession(session) {
  select.querySelector("[value=anonymous]").after(...session.users.map(option));
  select.addEventListener("change", () => chosen(session));
  field.addEventListener("change", () => given(session, field.value));
  field.addEventListener("paste", (event) => pasted(session, event));
  session.addEventListener("change", () => draw(session));
  draw(session);
}

function option(user) {
  const label = user.displayName === user.handle ? user.handle : `${user.displayName} (${user.handle})`;
  return new Option(label, USER + user.handle);
}

function chosen(session) {
  if (select.value === "token") {
    // No token is pasted yet: requests still use the previous user, which the status shows.
    field.hidden = false;
    field.focus();
  } else if (select.value === "anonymous") {
    session.beAnonymous();
  } else {
    session.beUser(select.value.slice(USER.length));
  }
}

/** Reads a pasted token and clears the field at once, so that the screen never shows it. */
function pasted(session, event) {
  event.preventDefault();
  given(session, event.clipboardData.getData("text"));
}

function given(session, text) {
  field.value = "";
  if (text && !session.beToken(text)) say("that is not a token", true);
}

function draw(session) {
  const { kind, handle } = session.choice;
  select.value = kind === "user" ? USER + handle : kind;
  field.hidden = kind !== "token";
  say(session.problem || header(session.token), Boolean(session.problem));
}

function header(token) {
  return token ? `Authorization: Bearer …${token.slice(-6)}` : "no Authorization header";
}

function say(text, alarm) {
  status.textContent = text;
  status.toggleAttribute("data-alarm", alarm);
}
