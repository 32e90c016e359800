import { FieldError } from "@/components/field-error";
import { PostForm } from "@/components/post-form";
import { formPath } from "@/lib/psu/see-other";
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
  const describedBy = fault === undefined ? undefined : "accounts-error";
  return (
    <Question texts={texts} frame={view} heading={accounts.heading} step={2}>
      <p className="lead">{accounts.lead(view.tpp.name, view.rights)}</p>
      <PostForm action={formPath(view.uid, "accounts")} token={view.tokens.accounts}>
        <fieldset
          className={fault === undefined ? "choices" : "choices with-error"}
          aria-describedby={describedBy}
        >
          <legend>{accounts.legend}</legend>
          <FieldError id="accounts-error" fault={fault} />
          <div className="choice choice-all">
            <input type="checkbox" id="all" name="all" value="yes" aria-describedby="all-hint" />
            <label htmlFor="all">{accounts.all}</label>
            <span className="hint" id="all-hint">
              {accounts.allHint}
            </span>
          </div>
          <ul>
            {view.accounts.map((offered, at) => (
              <AccountChoice
                key={offered.account.id}
                texts={texts}
                id={at === 0 ? "accounts" : `accounts-${at + 1}`}
                offered={offered}
                checked={keep && offered.preselected}
              />
            ))}
          </ul>
        </fieldset>
        <div className="actions">
          <button type="submit">{accounts.submit}</button>
          <CancelButton label={texts.frame.cancel} />
        </div>
      </PostForm>
    </Question>
  );
}
