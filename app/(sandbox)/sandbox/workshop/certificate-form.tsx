"use client";

import { Fragment, useActionState } from "react";
import { FieldError, type FieldFault, TextField } from "@/components/form";
import type { IssuedFile } from "@/lib/sandbox/certificate-issuing";
import { issueAction } from "./actions";
import type { CertificateFields } from "./form";
import { RefusedForm, Result, WideField } from "./result";

const EMPTY: CertificateFields = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP",
  roles: ["PSP_AI", "PSP_PI", "PSP_IC"],
  authorityId: "",
  authorityName: "",
  domain: "localhost",
  days: "",
  defect: "",
  in: "",
};

type Texted = Exclude<keyof CertificateFields, "roles" | "defect" | "in">;
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

/** Makes a QWAC and a QSealC for an organisation; one of them has a defect if wanted. */
export function CertificateForm({ roles, defects }: Props) {
  const [state, action] = useActionState(issueAction, undefined);
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
            field={`issue-${first.field}`}
          />
        )}
        {outcome?.kind === "files" && <Issued {...outcome} />}
      </Fragment>
      <form action={action} noValidate key={`form ${state?.id}`}>
        {texts.map(([name, label, hint]) => (
          <TextField
            key={name}
            id={`issue-${name}`}
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

const about: Readonly<Record<string, string>> = {
  PSP_AI: "account information",
  PSP_PI: "payment initiation",
  PSP_IC: "confirmation of funds",
  PSP_AS: "account servicing, which opens nothing here",
};

type RoleBoxesProps = {
  readonly roles: readonly string[];
  readonly chosen: readonly string[];
  readonly fault: FieldFault | undefined;
};

function RoleBoxes({ roles, chosen, fault }: RoleBoxesProps) {
  return (
    <fieldset id="issue-roles" className={fault === undefined ? "choices" : "choices with-error"}>
      <legend>PSD2 roles</legend>
      <FieldError id="issue-roles-error" fault={fault} />
      <ul>
        {roles.map((role) => (
          <li key={role} className="choice">
            <input
              type="checkbox"
              id={`role-${role}`}
              name="roles"
              value={role}
              defaultChecked={chosen.includes(role)}
            />
            <label htmlFor={`role-${role}`}>
              {role} <span className="detail">{about[role]}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

type DefectChoice = {
  readonly name: string;
  readonly what: string;
};

type DefectFieldsProps = {
  readonly defects: readonly DefectChoice[];
  readonly chosen: string;
  readonly place: string;
  readonly faults: {
    readonly defect: FieldFault | undefined;
    readonly in: FieldFault | undefined;
  };
};

/** Which of the two has the defect follows from the defect, unless it makes sense in both. */
function DefectFields({ defects, chosen, place, faults }: DefectFieldsProps) {
  return (
    <>
      <Choice
        name="defect"
        label="Defect"
        hint="One of the two certificates is spoilt, so that the bank refuses it."
        fault={faults.defect}
        value={chosen}
        options={[
          ["", "none: both are good"],
          ...defects.map(({ name, what }) => [name, `${name}: ${what}`] as const),
        ]}
      />
      <Choice
        name="in"
        label="Spoilt certificate"
        hint="Where the defect makes sense in both."
        fault={faults.in}
        value={place}
        options={[
          ["", "the usual one"],
          ["qwac", "the QWAC"],
          ["qseal", "the QSealC"],
        ]}
      />
    </>
  );
}

type ChoiceProps = {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly fault: FieldFault | undefined;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
};

function Choice({ name, label, hint, fault, value, options }: ChoiceProps) {
  const id = `issue-${name}`;
  return (
    <WideField id={id} label={label} hint={hint} fault={fault}>
      {(described) => (
        <select id={id} name={name} defaultValue={value} {...described}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </WideField>
  );
}

type IssuedProps = {
  readonly note: string;
  readonly files: readonly IssuedFile[];
  readonly archive: string;
};

/** The files to copy, or to save by a link that needs no script. */
function Issued({ note, files, archive }: IssuedProps) {
  return (
    <Result id="made" title="The certificates are made">
      <p className="good-news">{note}</p>
      <p className="hint">
        They are kept nowhere: save them before you leave the page, in one folder and by these
        names, as the programs of the <a href="/docs/first-call">first call</a> read them.
      </p>
      <p>
        <a download="certificates.tar" href={`data:application/x-tar;base64,${archive}`}>
          Save all
        </a>
      </p>
      {files.map(({ name, text }) => (
        <div key={name} className="field wide">
          <label htmlFor={name}>{name}</label>
          <textarea id={name} rows={4} readOnly defaultValue={text} spellCheck={false} />
          <a
            className="save"
            download={name}
            href={`data:application/x-pem-file,${encodeURIComponent(text)}`}
          >
            {`Save ${name}`}
          </a>
        </div>
      ))}
    </Result>
  );
}
