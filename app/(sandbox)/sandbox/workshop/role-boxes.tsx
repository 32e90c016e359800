import { FieldError, type FieldFault } from "@/components/field-error";

const about: Readonly<Record<string, string>> = {
  PSP_AI: "account information",
  PSP_PI: "payment initiation",
  PSP_IC: "confirmation of funds",
  PSP_AS: "account servicing, which opens nothing here",
};

type Props = {
  readonly roles: readonly string[];
  readonly chosen: readonly string[];
  readonly fault: FieldFault | undefined;
};

export function RoleBoxes({ roles, chosen, fault }: Props) {
  return (
    <fieldset id="mint-roles" className={fault === undefined ? "choices" : "choices with-error"}>
      <legend>PSD2 roles</legend>
      <FieldError id="mint-roles-error" fault={fault} />
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
