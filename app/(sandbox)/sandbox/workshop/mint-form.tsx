"use client";

import { Fragment, useActionState } from "react";
import { TextField } from "@/components/text-field";
import { type DefectChoice, DefectFields } from "./defect-fields";
import { mintAction } from "./mint-action";
import { Minted } from "./minted";
import { RefusedForm } from "./refused-form";
import { RoleBoxes } from "./role-boxes";
import type { MintFields } from "./state";

const EMPTY: MintFields = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP",
  roles: ["PSP_AI"],
  authorityId: "",
  authorityName: "",
  domain: "localhost",
  days: "",
  defect: "",
  in: "",
};

type Texted = Exclude<keyof MintFields, "roles" | "defect" | "in">;
const texts: readonly (readonly [name: Texted, label: string, hint: string])[] = [
  ["id", "Organisation identifier", "As in PSDRO-NBR-1234567."],
  ["name", "Organisation", "As the PSU will read it."],
  ["authorityId", "Authority identifier (optional)", "As in RO-NBR; from the organisation's."],
  ["authorityName", "Authority (optional)", "Its name, as in National Bank of Romania."],
  ["domain", "Domain (optional)", "Where the redirect URIs lie."],
  ["days", "Days of validity (optional)", "730 when left empty."],
];

type Props = {
  readonly roles: readonly string[];
  readonly defects: readonly DefectChoice[];
};

/** An organisation goes in, a QWAC and a QSealC come out; one of them spoilt if that is wanted. */
export function MintForm({ roles, defects }: Props) {
  const [state, action] = useActionState(mintAction, undefined);
  const { filled, outcome } = state ?? { filled: EMPTY, outcome: undefined };
  const faults = outcome?.kind === "faults" ? outcome.faults : [];
  const [first] = faults;
  const faultOf = (name: string) => {
    const fault = faults.find(({ field }) => field === name);
    return fault && { prefix: "Error:", text: `It ${fault.text}` };
  };
  return (
    <>
      <Fragment key={`answer ${state?.id}`}>
        {first !== undefined && (
          <RefusedForm
            title="That cannot be made"
            text={`${labelOf(first.field)}: it ${first.text}`}
            field={`mint-${first.field}`}
          />
        )}
        {outcome?.kind === "files" && <Minted note={outcome.note} files={outcome.files} />}
      </Fragment>
      <form action={action} noValidate key={`form ${state?.id}`}>
        {texts.map(([name, label, hint]) => (
          <TextField
            key={name}
            id={`mint-${name}`}
            label={label}
            hint={hint}
            fault={faultOf(name)}
            input={{ name, defaultValue: filled[name], autoComplete: "off" }}
          />
        ))}
        <RoleBoxes roles={roles} chosen={filled.roles} fault={faultOf("roles")} />
        <DefectFields
          defects={defects}
          chosen={filled.defect}
          place={filled.in}
          faults={{ defect: faultOf("defect"), in: faultOf("in") }}
        />
        <p className="actions">
          <button type="submit">Make certificates</button>
        </p>
      </form>
    </>
  );
}

function labelOf(field: string): string {
  return texts.find(([name]) => name === field)?.[1].replace(" (optional)", "") ?? field;
}
