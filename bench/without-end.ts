/**
 * What lets a load go on, in the database of the bench alone. All that a request does takes place as ever, for
 * the product and for the limit.
 *
 * A consent saves up some funds checks and gets them back slowly: here at once.
 *
 * A consent may be read a few times in 24 hours without the PSU. Here each read finds one before it in the
 * window, and that one falls out of it.
 *
 * A recurring consent ends the one that the TPP had from the same PSU, and one alone would have its reads wait
 * for each other. Here each is another PSU's; to a read it is all one.
 */
export const withoutEnd = `
  create function bench_give_check_back() returns trigger language plpgsql as
    $$ begin new.checks_left := 20; return new; end $$;
  create trigger bench_give_back before insert or update on funds_check_budget
    for each row execute function bench_give_check_back();

  create function bench_keep_last_hit() returns trigger language plpgsql as
    $$ begin new.hits := new.hits[cardinality(new.hits):]; return new; end $$;
  create trigger bench_give_back before update on usage_window
    for each row execute function bench_keep_last_hit();

  create function bench_change_psu() returns trigger language plpgsql as
    $$ begin new.psu_id := gen_random_uuid(); return new; end $$;
  create trigger bench_change_psu before update on account_consent
    for each row when (old.status = 'received' and new.status = 'valid')
    execute function bench_change_psu()`;
