#!/usr/bin/env node
import process from 'node:process';
import { bootstrap } from '../scripts/bootstrap.mjs';

await bootstrap('dialplane', process.argv.slice(2));
