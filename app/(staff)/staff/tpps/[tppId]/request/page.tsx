import { Actions, Button, ButtonLink } from "@/components/button";
import { PostForm, SelectField, TextArea, TextField } from "@/components/form";
import { Lead } from "@/components/text";
import { basesOf, REASON_CHARACTERS_MAX, secrecyGrounds } from "@/lib/domain/tpp-blocks";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { faultyField, requestFormView, sendPath } from "@/lib/staff/blocks";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { tppPath } from "@/lib/staff/paths";
import type { PageProps } from "@/lib/staff/table";
import { tppIdOf } from "@/lib/staff/tpps";
import { StaffPage, staffPage } from "../../../../staff-page";

/** What the browser takes for no answer. */
const UNCHOSEN = "";

export default async function RequestBlockPage({ params, searchParams }: PageProps) {
  const { tppId: part = "none" } = await params;
  const asked = await searchParams;
  const path = tppPath(tppIdOf(part) ?? "none");
  const load = (visit: StaffFrame["visit"]) => requestFormView(visit, part, asked);
  return staffPage({ action: "request-block", path: `${path}/request`, load }, (frame, view) => {
    const { request: words, bases, secrecy } = frame.texts.tpps;
    const { typed } = view;
    const field = faultyField(frame.said);
    const faultAt = (id: string) => (id === field ? faultOf(frame) : undefined);
    return (
      <StaffPage frame={frame} heading={words.heading[view.action](view.name)} field={field}>
        <Lead>{words.lead}</Lead>
        <PostForm action={sendPath(view.tppId)} token={view.token} checkedByBrowser>
          <input type="hidden" name="action" value={view.action} />
          <SelectField
            id="basis"
            name="basis"
            label={words.basis}
            chosen={typed?.["basis"] ?? UNCHOSEN}
            fault={faultAt("basis")}
            required
            options={[
              [UNCHOSEN, words.choose],
              ...basesOf(view.action).map((value) => [value, bases[value]] as const),
            ]}
          />
          <TextArea
            id="reason"
            label={words.reason}
            hint={words.reasonHint}
            fault={faultAt("reason")}
            text={typed?.["reason"]}
            charactersMax={REASON_CHARACTERS_MAX}
            required
          />
          {view.action === "block" && (
            <TextField
              id="until"
              label={words.until}
              hint={words.untilHint}
              fault={faultAt("until")}
              input={{
                ...{ name: "until", type: "date", min: view.today },
                defaultValue: typed?.["until"],
              }}
            />
          )}
          <SelectField
            id="tell"
            name="tell"
            label={words.tell}
            chosen={typed?.["tell"] ?? "told"}
            options={[
              ["told", words.told],
              ...secrecyGrounds.map((value) => [value, secrecy[value]] as const),
            ]}
          />
          <TextArea
            id="secrecyReason"
            label={words.secrecyReason}
            hint={words.secrecyHint}
            fault={faultAt("secrecyReason")}
            text={typed?.["secrecyReason"]}
            charactersMax={REASON_CHARACTERS_MAX}
          />
          <Actions>
            <Button>{words.submit}</Button>
            <ButtonLink kind="counter" href={path}>
              {words.keep}
            </ButtonLink>
          </Actions>
        </PostForm>
        {view.other !== undefined && (
          <p className="mt-5">
            <a href={`${path}/request?action=${view.other}`}>{words.begin[view.other]}</a>
          </p>
        )}
      </StaffPage>
    );
  });
}

/** What was said above, once more at its field. */
function faultOf({ texts, said, visit }: StaffFrame) {
  const { errorPrefix: prefix } = textsFor(visit.language).frame;
  return said && { prefix, text: texts.said[said] };
}
