#!/bin/sh
# Run once by PostgreSQL's image: the role that owns the tables, that of the servers, and a database for the demo's core bank.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
create role drawbridge_owner login password :'password';
create role drawbridge login password :'password';
create database drawbridge owner drawbridge_owner;
create role core_bank login password :'password';
create database core_bank owner core_bank;
SQL
