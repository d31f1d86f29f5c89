// Shelves of a library, and who may take what.
#include <memory>
#include "shelf/book.h"

#define SHELF_MAX 40
#define SHELF_CHECK(x) check_that(x)

namespace lib::shelf {

class Reader;
/// Anything with a title.
template <typename T>
concept Titled = requires(T t) { t.title(); };

using Row = std::vector<Book>;
template <class T>
using Owned = std::unique_ptr<T>;
typedef int (*Order)(const Book& a, const Book& b);

enum class Mood : unsigned char { Calm, Busy = 2 };

inline constexpr int kRows = 8;
static Mood mood = Mood::Calm, *moods = nullptr;
extern const char* const names[kRows];
namespace { int visits; }

/// A shelf that lends.
/// Never throws.
template <typename T, typename A = std::allocator<T>>
class Shelf final : public Base<T>, private detail::Lock {
 public:
  static constexpr int kDepth = 3;
  using value_type = T;

  /// Starts empty.
  explicit Shelf(Reader* owner) : owner_(owner), count_{0} {}
  Shelf(const Shelf&) = delete;
  virtual ~Shelf() = default;

  /* Finds by title. */
  [[nodiscard]] virtual const T* find(const std::string& title,
                                      Mood mood = Mood::Calm) const = 0;
  template <typename Pick>
  Row take(Pick pick) const;
  Shelf& operator=(Shelf&& other) noexcept;
  T& operator[](int at) { return items_.at(at); }
  operator bool() const { return count_ > 0; }
  friend bool operator==(const Shelf& a, const Shelf& b);

  struct Slot { int row, column; };

 protected:
  mutable int count_ = 0;  // books on it
  Row items_;
  union { long id; double mark; } tag_;

 private:
  friend class Reader;
  Reader* owner_;
};

// Members outside their class.
template <typename T, typename A>
template <typename Pick>
Row Shelf<T, A>::take(Pick pick) const {
  auto row = std::make_unique<Row>();
  std::lock_guard<std::mutex> hold{mutex_};
  for (const Slot& slot : slots<T>()) pick.template choose<T>(slot);
  return row ? *row : Row{};
}

template <>
struct Hash<lib::Book> {
  std::size_t operator()(const Book& b) const { return b.id(); }
};

int Reader::count = 0;
Reader::~Reader() { delete new Card(1); }

}  // namespace lib::shelf

class SHELF_API Desk {
  int drawers() const;
  int open;
};

TEST(ShelfTest, Lends) { SHELF_CHECK(lib::shelf::open()); }
TEST_CASE("a shelf") {
  int tries = 3;
}
