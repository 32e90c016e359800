import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { Lead } from "@/components/lead";
import { PostForm } from "@/components/post-form";
import { TextField } from "@/components/text-field";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { LoginView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";
import { Question } from "./question";

type Props = { readonly texts: Texts; readonly view: LoginView };

/** Who are you? Asked first, and again when the session is over or somebody else's. */
export function LoginQuestion({ texts, view }: Props) {
  const { heading, lead } = wordsFor(texts, view);
  const { login } = texts;
  return (
    <Question texts={texts} frame={view} heading={heading} step={1}>
      <Lead>{lead}</Lead>
      <PostForm action={formPath(view.uid, "login")} token={view.tokens.login}>
        <TextField
          id="user-id"
          label={login.userId}
          fault={faultAt(texts, view.outcome, "user-id")}
          input={{
            name: "userId",
            type: "text",
            autoComplete: "username",
            autoCapitalize: "none",
            spellCheck: false,
            defaultValue: view.userId,
          }}
        />
        <TextField
          id="password"
          label={login.password}
          fault={faultAt(texts, view.outcome, "password")}
          input={{ name: "password", type: "password", autoComplete: "current-password" }}
        />
        <Actions>
          <Button>{login.submit}</Button>
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
    </Question>
  );
}

function wordsFor(texts: Texts, { page, kind, bankName, tpp }: LoginView) {
  if (page === "login-again") return texts.loginAgain;
  if (page === "not-yours") return texts.notYours;
  return {
    heading: texts.login.heading(bankName),
    lead: texts.login.lead[kind](texts.quoted(tpp.name)),
  };
}
