import { Actions, Button } from "@/components/button";
import { TablePart } from "@/components/data-table";
import { PostForm, TextField } from "@/components/form";
import { Links, Part } from "@/components/text";
import { searchView } from "@/lib/staff/cases";
import type { StaffFrame } from "@/lib/staff/page-loaders";
import { customerPath, SEARCH } from "@/lib/staff/paths";
import type { PageProps, Query } from "@/lib/staff/table";
import { StaffPage, staffPage } from "../../staff-page";

export default async function SearchPage({ searchParams }: PageProps) {
  const asked = await searchParams;
  const load = (visit: StaffFrame["visit"]) => searchView(visit, asked["s"]);
  return staffPage({ action: "search", path: SEARCH, load }, (frame, { token, result }) => {
    const words = frame.texts.cases.search;
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <PostForm action={`${SEARCH}/find`} token={token}>
          <TextField
            id="text"
            label={words.label}
            hint={words.hint}
            input={{ name: "text", autoComplete: "off", defaultValue: result?.text, maxLength: 70 }}
          />
          <Actions>
            <Button>{words.submit}</Button>
          </Actions>
        </PostForm>
        {result !== undefined && <Results frame={frame} result={result} asked={asked} />}
      </StaffPage>
    );
  });
}

type ResultsProps = {
  readonly frame: StaffFrame;
  readonly result: NonNullable<Awaited<ReturnType<typeof searchView>>["result"]>;
  readonly asked: Query;
};

function Results({ frame, result, asked }: ResultsProps) {
  const { search: words } = frame.texts.cases;
  const { customer, sealed, cases, tpps, refused } = result;
  const shared = (id: "tpps" | "cases" | "refused") => ({
    ...{ frame, asked, keep: { s: sealed }, id, heading: words[id], file: `found-${id}` },
  });
  const nothing =
    cases.rows.length + tpps.rows.length + refused.rows.length === 0 && customer === undefined;
  return (
    <>
      {nothing && (
        <p role="status" className="mt-5">
          {words.nothing}
        </p>
      )}
      {customer !== undefined && (
        <Part id="customer" heading={words.customer}>
          <Links>
            <a href={customerPath(customer)}>{customer}</a>
          </Links>
        </Part>
      )}
      {tpps.rows.length > 0 && <TablePart {...shared("tpps")} table={tpps} />}
      {cases.rows.length > 0 && <TablePart {...shared("cases")} table={cases} />}
      {refused.rows.length > 0 && <TablePart {...shared("refused")} table={refused} />}
    </>
  );
}
