import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { Choices } from "@/components/choices";
import { Lead } from "@/components/lead";
import { PostForm } from "@/components/post-form";
import { formPath, pagePath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { AccountsView } from "@/lib/psu/view";
import { AccountChoice } from "./account-choice";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";
import { Question } from "./question";

type Props = { readonly texts: Texts; readonly view: AccountsView };

/** Which accounts? The PSU picks accounts, not kinds of data. */
export function AccountsQuestion({ texts, view }: Props) {
  const { accounts } = texts;
  const fault = faultAt(texts, view.outcome, "accounts");
  // The form comes back as it was sent: with nothing ticked, if that was what was wrong.
  const keep = view.outcome?.outcome !== "nothing-selected";
  return (
    <Question
      texts={texts}
      frame={view}
      heading={accounts.heading}
      step={2}
      path={pagePath(view.uid, "accounts")}
    >
      <Lead>{accounts.lead(texts.quoted(view.tpp.name), view.rights)}</Lead>
      <PostForm action={formPath(view.uid, "accounts")} token={view.tokens.accounts}>
        <Choices
          id="accounts"
          legend={accounts.legend}
          all={{ label: accounts.all, hint: accounts.allHint }}
          fault={fault}
        >
          {view.accounts.map((offered, at) => (
            <AccountChoice
              key={offered.account.id}
              texts={texts}
              id={at === 0 ? "accounts" : `accounts-${at + 1}`}
              offered={offered}
              checked={keep && offered.preselected}
            />
          ))}
        </Choices>
        <Actions>
          <Button>{accounts.submit}</Button>
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
    </Question>
  );
}
