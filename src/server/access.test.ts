import { describe, expect, it } from 'vitest';
import { checkHost } from './access.ts';

const refused = (header: string | undefined, host = '127.0.0.1', allowedHosts: string[] = []) => {
  try {
    checkHost(header, { host, allowedHosts });
    return false;
  } catch {
    return true;
  }
};

describe('the names a server goes by', () => {
  it('are loopback, its address and those it was given; a web page’s own name is none of them', () => {
    for (const good of ['localhost', 'localhost:4182', '127.0.0.1:80', '[::1]:4182', 'LOCALHOST']) {
      expect(refused(good)).toBe(false);
    }
    for (const bad of [undefined, '', 'evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.7']) {
      expect(refused(bad)).toBe(true);
    }
    expect(refused('train.lan:4182', '127.0.0.1', ['Train.lan'])).toBe(false);
    expect(refused('10.0.0.7:4182', '10.0.0.7')).toBe(false);
  });

  it('are all addresses where it listens on all, since only names can be rebound', () => {
    expect(refused('10.0.0.7:4182', '0.0.0.0')).toBe(false);
    expect(refused('[fe80::1]:4182', '::')).toBe(false);
    expect(refused('evil.example', '0.0.0.0')).toBe(true);
  });
});
