/** The stand-in's pages: plain forms, readable on a phone. */

export type Language = "en" | "ro";

const texts = {
  en: {
    title: "Example Bank",
    signIn: "Sign in",
    approve: "Approve",
    asked: "You are asked to approve:",
    userId: "User ID",
    password: "Password",
    token: (code: string) => `Code of your token (it shows ${code})`,
    go: "Continue",
    refuse: "Refuse",
    wrong: "That was not right. Try again.",
  },
  ro: {
    title: "Banca Exemplu",
    signIn: "Autentificare",
    approve: "Aprobare",
    asked: "Vi se cere să aprobați:",
    userId: "Utilizator",
    password: "Parolă",
    token: (code: string) => `Codul dispozitivului (arată ${code})`,
    go: "Continuați",
    refuse: "Refuzați",
    wrong: "Datele nu sunt corecte. Încercați din nou.",
  },
} as const;

type Login = {
  readonly uid: string;
  readonly language: Language;
  /** What is to be approved; a sign-in without it. */
  readonly details: string | undefined;
  /** Where both elements are wanted. */
  readonly tokenCode: string | undefined;
  readonly userId?: unknown;
  readonly wrong?: boolean;
};

export function loginPage({ uid, language, details, tokenCode, userId, wrong }: Login): string {
  const words = texts[language];
  const heading = details === undefined ? words.signIn : words.approve;
  return page(
    language,
    heading,
    `${details === undefined ? "" : `<p>${words.asked}</p><p class="what">${escaped(details)}</p>`}
    ${wrong === true ? `<p role="alert">${words.wrong}</p>` : ""}
    <form method="post" action="/interaction/${escaped(uid)}">
      <label>${words.userId}<input name="userId" autocomplete="username" value="${escaped(typeof userId === "string" ? userId : "")}"></label>
      <label>${words.password}<input name="password" type="password" autocomplete="current-password"></label>
      ${tokenCode === undefined ? "" : `<label>${words.token(tokenCode)}<input name="code" inputmode="numeric" autocomplete="one-time-code"></label>`}
      <button name="answer" value="confirm">${words.go}</button>
      <button name="answer" value="refuse">${words.refuse}</button>
    </form>`,
  );
}

/** A request that waits in the bank's app. */
export type AppRequest = {
  readonly id: string;
  /** The binding message. */
  readonly text: string;
  readonly details: string | undefined;
};

export function appPage(name: string | undefined, requests: readonly AppRequest[]): string {
  if (name === undefined) {
    return page(
      "en",
      "The bank’s app",
      `<form method="post" action="/app">
        <label>User ID<input name="userId" autocomplete="username"></label>
        <label>Password<input name="password" type="password" autocomplete="current-password"></label>
        <button>Continue</button>
      </form>`,
    );
  }
  const list = requests.map(
    ({ id, text }) => `<li><p class="what">${escaped(text)}</p>
      <form method="post" action="/app"><input type="hidden" name="id" value="${id}">
      <button name="answer" value="confirm">Confirm</button>
      <button name="answer" value="refuse">Refuse</button></form></li>`,
  );
  const nothing = "<p>Nothing waits for you.</p>";
  const body = list.length === 0 ? nothing : `<ul>${list.join("")}</ul>`;
  return page(
    "en",
    "The bank’s app",
    `<p>${escaped(name)}</p>${body}<p><a href="/app">Look again</a></p>`,
  );
}

export function errorPage(text: string): string {
  return page("en", "This did not work", `<p>${escaped(text)}</p>`);
}

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}label,button{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid #555}button{font:inherit;padding:.5rem 1rem}.what{font-weight:600}ul{padding:0;list-style:none}";

function page(language: Language, heading: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading} - ${texts[language].title}</title><style>${style}</style></head><body><main><h1>${heading}</h1>${body}</main></body></html>`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text.replace(/[&<>"]/g, (character) => `&${names[character]};`);
}
