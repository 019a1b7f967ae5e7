"""Requests, streams and WebSockets by httpx (HTTP/1.1 and HTTP/2), aiohttp and websockets, until the stop file exists."""
import asyncio, json, os, ssl
import aiohttp, httpx, websockets

PLAIN, SECURE, CA, STOP = (os.environ[name] for name in ("PLAIN", "SECURE", "CA", "STOP"))
EXPECTED = "".join(f"{i}\n" for i in range(int(os.environ["LINES"])))
counts = {"requests": 0, "streams": 0, "websockets": 0}
errors = []


def going():
    return not os.path.exists(STOP)


def failed(what, error):
    errors.append(f"{what}: {type(error).__name__}: {error}")


async def with_httpx(base, http2):
    context = ssl.create_default_context(cafile=CA)
    name = f"httpx {'HTTP/2' if http2 else 'HTTP/1.1'} {base.split(':')[0]}"
    async with httpx.AsyncClient(http2=http2, verify=context, timeout=30) as client:

        async def requests(path, method, body):
            while going():
                try:
                    response = await client.request(method, base + path, content=body)
                    assert response.status_code == 200 and response.text == (body or b"ok").decode(), response
                    counts["requests"] += 1
                except Exception as error:
                    failed(f"{name} {method} {path}", error)
                await asyncio.sleep(0.01)

        async def streams():
            while going():
                try:
                    text = ""
                    async with client.stream("GET", base + "/drip") as response:
                        async for part in response.aiter_text():
                            text += part
                    assert text == EXPECTED, text
                    counts["streams"] += 1
                except Exception as error:
                    failed(f"{name} stream", error)

        await asyncio.gather(
            requests("/", "GET", None), requests("/proxied", "GET", None), requests("/echo", "POST", b"x" * 5000), streams()
        )


async def with_aiohttp():
    context = ssl.create_default_context(cafile=CA)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as client:

        async def requests(base, path):
            while going():
                try:
                    async with client.get(base + path) as response:
                        assert response.status == 200 and await response.text() == "ok"
                    counts["requests"] += 1
                except Exception as error:
                    failed(f"aiohttp {base.split(':')[0]}{path}", error)
                await asyncio.sleep(0.01)

        async def sockets(base):
            while going():
                try:
                    async with client.ws_connect(base + "/ws") as socket:
                        while going():
                            try:
                                await socket.send_str("hello")
                            except ConnectionError:
                                # The close frame may have been answered meanwhile.
                                pass
                            message = await socket.receive(timeout=30)
                            if message.type is not aiohttp.WSMsgType.TEXT:
                                assert socket.close_code not in (None, 1006), f"{message.type} {socket.close_code}"
                                break
                            await asyncio.sleep(0.1)
                    counts["websockets"] += 1
                except Exception as error:
                    failed(f"aiohttp {base.split(':')[0]} WebSocket", error)

        await asyncio.gather(requests(PLAIN, "/"), requests(SECURE, "/proxied"), sockets(PLAIN), sockets(SECURE))


async def with_websockets():
    context = ssl.create_default_context(cafile=CA)
    for_tls = SECURE.replace("https", "wss")
    while going():
        try:
            async with websockets.connect(for_tls + "/ws", ssl=context) as socket:
                while going():
                    await socket.send("hello")
                    assert await asyncio.wait_for(socket.recv(), 30) == "hello"
                    await asyncio.sleep(0.1)
            counts["websockets"] += 1
        except websockets.ConnectionClosed as closed:
            if closed.rcvd is None:
                failed("websockets: no close frame", closed)
            counts["websockets"] += 1
        except Exception as error:
            failed("websockets", error)


async def main():
    await asyncio.gather(
        with_httpx(PLAIN, False), with_httpx(SECURE, False), with_httpx(SECURE, True), with_aiohttp(), with_websockets()
    )
    print(json.dumps({**counts, "errors": errors}))


asyncio.run(main())
