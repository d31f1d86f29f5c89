using System;
using static System.Math;
using Pages = System.Collections.Generic.List<Library.Page>;
global using Library.Inks;

namespace Library.Binding
{
    /// <summary>Says how thick a book may be.</summary>
    [Flags]
    public enum Cover : byte
    {
        None = 0,
        /// <summary>Cloth over board.</summary>
        [Obsolete("use Board")]
        Cloth = 1,
        Board,
    }

    public delegate TResult Stitch<in TPage, out TResult>(TPage page,
        int thread) where TPage : IPage;

    public record Spine(string Title, int? Width) : Part(Width), IEquatable<Spine>;

    public record struct Point
    {
        public int X { get; init; }
    }

    /* What every page can do. */
    public interface IPage<T> : IDisposable where T : class, new()
    {
        T Front { get; }
        void Turn(ref T other,
            params object[] rest);
    }

    /// <summary>
    /// A book of pages.</summary>
    [Serializable, Binding("glue")]
    [DebuggerDisplay("{Count}")]
    public sealed partial class Book<T> : Part, IPage<T> where T : class, new()
    {
        private const int MaxPages = 900, MinPages = 4;
        internal static readonly string[] Names = { "folio" };
        private readonly Dictionary<string, Cover> covers = new();
        protected int count, spare;

        /// <summary>Raised when a page turns.</summary>
        public event EventHandler<PageArgs>? Turned;
        public event Action Closed { add { } remove { } }

        static Book() => Reset();

        // Starts empty.
        public Book(Spine spine, Cover cover = Cover.None) : base(spine)
        {
            covers["front"] = cover;
        }

        ~Book() { Dispose(); }

        /// <summary>How many.</summary>
        [JsonIgnore]
        public int Count => Max(count, 0);
        public required T Front { get; set; } = default(T)!;
        public T this[int at, string side] { get => pages[at]; set { } }

#pragma warning disable CS0660
        public static bool operator ==(Book<T> left, Book<T> right) => ReferenceEquals(left, right);
        public static implicit operator string(Book<T> book) => book.ToString();

        /// <summary>Turns one page.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        async Task<Page[]> IPage<T>.TurnAsync<TKey>(Page page,
            CancellationToken token)
        {
            var next = new Ink.Drop<TKey>(page) as Leaf;
            Turned?.Invoke(this, new PageArgs(next));
            if (next is Leaf leaf && leaf.Find<Page>() is null) throw new BookException(nameof(page));
            int Half(int n) => n / 2;
            foreach (Leaf each in await Load(typeof(Book<>)))
                Console.WriteLine($"{Half(each.Number)}");
            return (Page[])null;
        }

        private struct Mark { public (Leaf at, int line) Place; }
    }
}
