import { FieldError, type FieldFault } from "@/components/field-error";

export type DefectChoice = {
  readonly name: string;
  readonly what: string;
};

type Props = {
  readonly defects: readonly DefectChoice[];
  readonly chosen: string;
  readonly place: string;
  readonly faults: {
    readonly defect: FieldFault | undefined;
    readonly in: FieldFault | undefined;
  };
};

/** Which of the two is spoilt follows from the defect, unless it makes sense in both. */
export function DefectFields({ defects, chosen, place, faults }: Props) {
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
  const id = `mint-${name}`;
  const describedBy = fault === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  return (
    <div className={fault === undefined ? "field wide" : "field wide with-error"}>
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <FieldError id={`${id}-error`} fault={fault} />
      <select
        id={id}
        name={name}
        defaultValue={value}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
