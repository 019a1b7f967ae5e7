import { render } from 'preact';
import { App } from './app.tsx';
import { followAddress } from './state/location.ts';

followAddress();
const page = document.getElementById('page');
if (page !== null) render(<App />, page);
